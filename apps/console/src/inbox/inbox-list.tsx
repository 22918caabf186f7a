import type { InboxItem, InboxView } from '@parley/protocol/settings/inbox';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { member } from '../api/member.ts';
import { visitorName } from '../conversations/badges.tsx';
import { shortTime } from '../conversations/short-time.ts';
import { linkTo } from '../router.ts';
import { isAskedOf } from './place-item.ts';

/** As `.inbox-row` has it, which grows with the text size of the browser. */
const rowRem = 68 / 16;
/** The same in px: measured, since the font size that is computed of the root may be another one than `rem` stands for. */
const rowHeightIn = ({ firstElementChild }: Element, count: number): number =>
  (firstElementChild?.getBoundingClientRect().height ?? 0) / count || rowRem * 16;
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
  const latest = useRef(items);
  latest.current = items;
  const [seen, setSeen] = useState({ top: 0, height: 800, row: rowRem * 16 });
  // Given the element: one that has just left is still told that it was scrolled.
  const look = (element: Element) => {
    const { scrollTop: top, clientHeight: height } = element;
    const row = rowHeightIn(element, latest.current.length);
    setSeen((before) =>
      before.top === top && before.height === height && before.row === row ? before : { top, height, row },
    );
  };
  useLayoutEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(() => look(element));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => box.current?.scrollTo({ top: 0 }), [view, words]);
  useLayoutEffect(() => {
    const at = latest.current.findIndex(({ id }) => id === current);
    const { scrollTop, clientHeight } = box.current!;
    if (at === -1) return;
    const rowHeight = rowHeightIn(box.current!, latest.current.length);
    const [top, bottom] = [at * rowHeight, (at + 1) * rowHeight];
    if (top < scrollTop) box.current!.scrollTo({ top });
    else if (bottom > scrollTop + clientHeight) box.current!.scrollTo({ top: bottom - clientHeight });
  }, [current]);
  const first = Math.max(0, Math.floor(seen.top / seen.row) - beyond);
  const end = Math.min(items.length, Math.ceil((seen.top + seen.height) / seen.row) + beyond);
  const isNearEnd = end + ahead >= items.length;
  useEffect(() => {
    if (isNearEnd) more?.();
  }, [isNearEnd, items.length, more]);
  return (
    <div class="inbox-rows" ref={box} onScroll={({ currentTarget }) => look(currentTarget)}>
      <ul style={{ height: `${items.length * rowRem}rem` }}>
        {items.slice(first, end).map((item, index) => (
          <li
            key={item.id}
            style={{ top: `${(first + index) * rowRem}rem` }}
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
