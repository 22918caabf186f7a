import type { InboxItem, InboxView } from '@parley/protocol/settings/inbox';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { member } from '../api/member.ts';
import { visitorName } from '../conversations/badges.tsx';
import { shortTime } from '../conversations/short-time.ts';
import { linkTo } from '../router.ts';
import { isAskedOf } from './place-item.ts';

/** As `.inbox-row` has it where nobody has changed the text size of the browser, which is 16 px. */
const usualRowHeight = 68;
const rowHeightNow = (): number =>
  (usualRowHeight * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)) / 16;
/** Rows that are drawn beyond what is seen. */
const beyond = 8;
/** Rows before the end at which more is asked for. */
const ahead = 20;

interface InboxListProps {
  readonly items: readonly InboxItem[];
  readonly agents: readonly { readonly id: string; readonly name?: string }[];
  readonly now: Date;
  readonly view: InboxView;
  /** What is looked for; empty: nothing. */
  readonly words: string;
  readonly current: string | undefined;
  /** Null: there is no more. */
  readonly more: (() => void) | null;
}

/** Of however many conversations only those are drawn that are seen. */
export function InboxList({ items, agents, now, view, words, current, more }: InboxListProps) {
  const box = useRef<HTMLDivElement>(null);
  const rowHeight = rowHeightNow();
  const [seen, setSeen] = useState({ top: 0, height: 800 });
  // Given the element: one that has just left is still told that it was scrolled.
  const look = ({ scrollTop, clientHeight }: Element) => {
    setSeen((before) =>
      before.top === scrollTop && before.height === clientHeight
        ? before
        : { top: scrollTop, height: clientHeight },
    );
  };
  useLayoutEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(() => look(element));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => box.current?.scrollTo({ top: 0 }), [view, words]);
  const latest = useRef(items);
  latest.current = items;
  useLayoutEffect(() => {
    const at = latest.current.findIndex(({ id }) => id === current);
    const { scrollTop, clientHeight } = box.current!;
    if (at === -1) return;
    const [top, bottom] = [at * rowHeight, (at + 1) * rowHeight];
    if (top < scrollTop) box.current!.scrollTo({ top });
    else if (bottom > scrollTop + clientHeight) box.current!.scrollTo({ top: bottom - clientHeight });
  }, [current]);
  const first = Math.max(0, Math.floor(seen.top / rowHeight) - beyond);
  const end = Math.min(items.length, Math.ceil((seen.top + seen.height) / rowHeight) + beyond);
  const isNearEnd = end + ahead >= items.length;
  useEffect(() => {
    if (isNearEnd) more?.();
  }, [isNearEnd, items.length, more]);
  return (
    <div class="inbox-rows" ref={box} onScroll={({ currentTarget }) => look(currentTarget)}>
      <ul style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, end).map((item, index) => (
          <li
            key={item.id}
            style={{ top: `${(first + index) * rowHeight}px` }}
            aria-setsize={more ? -1 : items.length}
            aria-posinset={first + index + 1}
          >
            <a
              class="inbox-row"
              href={linkTo('inbox', view, item.id)}
              aria-current={item.id === current ? 'true' : undefined}
            >
              <span class="first-words" dir="auto">
                {item.firstMessage || 'No message yet'}
              </span>
              <time class="meta when" dateTime={item.activeAt}>
                {shortTime(new Date(item.waitingSince ?? item.activeAt), now)}
              </time>
              <span class="meta about">
                {[visitorName(item), agents.find(({ id }) => id === item.agentId)?.name]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              <Standing item={item} />
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The one thing that somebody who chooses wants to know of it. */
function Standing({ item }: { readonly item: InboxItem }) {
  const { holder, assignee, waitingSince, status } = item;
  if (status === 'ended') return <span class="badge ended">Ended</span>;
  if (waitingSince !== null) return <span class="badge waiting">{waitsFor(item)}</span>;
  if (holder) return <span class="badge live">{holder.name} answers</span>;
  return assignee ? <span class="badge">{assignee.name}</span> : <span />;
}

function waitsFor(item: InboxItem): string {
  const { holder, askedOf } = item;
  if (holder) return `Waits for ${holder.name}`;
  if (member.value && isAskedOf(item, member.value.id)) return 'Asked of you';
  return askedOf ? `Asked of ${askedOf.name}` : 'The agent asks';
}
