import type { Turn, TurnPart } from '@parley/client/turn';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { WidgetConfig } from '../chat/widget-config.ts';
import { Icon } from '../icon.tsx';
import { useWidget } from '../widget-context.ts';
import { EmptyState } from './empty-state.tsx';
import { useFollowScroll } from './use-follow-scroll.ts';
import { UserBubble } from './user-bubble.tsx';
import { WorkingLine } from './working-line.tsx';

const sliceLength = 25;
const idle: (callback: () => void) => unknown = globalThis.requestIdleCallback ?? setTimeout;

/** The conversation from its beginning, with what was just sent at its end. */
export function Log({ config }: { config: WidgetConfig }) {
  const { chat, cards, label } = useWidget();
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { transcript, outbox, ownTurns } = chat.state;
  const { turns, status } = transcript;
  const working = status === 'working';
  const { unread, toEnd } = useFollowScroll(scroller, content, turns.length, working);
  const sent = outbox.length;
  useEffect(() => {
    if (sent > 0) toEnd();
  }, [sent]);

  const slices: (readonly Turn[])[] = [];
  for (let at = 0; at < turns.length; at += sliceLength) slices.push(turns.slice(at, at + sliceLength));
  const [shown, setShown] = useState(2);
  const first = Math.max(0, slices.length - shown);
  useEffect(() => {
    if (first > 0) idle(() => setShown(shown + 1));
  }, [first, shown]);

  const lastTurn = turns.at(-1);
  const waiting = outbox.find(({ state }) => state.kind !== 'failed');
  const silent = working && !showsWork(lastTurn?.parts.at(-1));
  const empty = turns.length === 0 && sent === 0;

  const section = (turn: Turn, index: number) => (
    <section
      key={turn.id}
      class="turn"
      data-own={(index > 0 && turn === lastTurn && sent === 0 && ownTurns.has(turn.id)) || undefined}
    >
      {cards && <cards.TurnView turn={turn} index={index} last={turn === lastTurn} />}
      {silent && turn === lastTurn && <WorkingLine since={Date.parse(turn.startedAt)} />}
    </section>
  );

  return (
    <div class="scroll-area">
      <div
        class="log"
        role="log"
        aria-live="off"
        aria-label={label('conversation')}
        tabIndex={0}
        ref={scroller}
      >
        <div class="log-content" ref={content}>
          {(chat.restoring || (turns.length > 0 && !cards)) && <Skeleton />}
          {empty && !chat.restoring && <EmptyState config={config} />}
          {slices.map(
            (slice, index) =>
              cards &&
              index >= first && (
                <Slice
                  key={index}
                  turns={slice}
                  settled={index < slices.length - 1}
                  draw={(turn, offset) => section(turn, index * sliceLength + offset)}
                />
              ),
          )}
          {cards && <cards.Marks before={turns.length} />}
          {sent > 0 && (
            <section class="turn" data-own={(turns.length > 0 && !working && waiting && true) || undefined}>
              {outbox.map((message) => (
                <UserBubble key={message.id} text={message.text} at={message.at}>
                  {message.state.kind !== 'failed' ? (
                    <p class="meta">{label(working ? 'queued' : 'sending')}</p>
                  ) : cards ? (
                    <cards.Unsent message={message} />
                  ) : (
                    <p class="problem">{label('notSent')}</p>
                  )}
                </UserBubble>
              ))}
              {waiting && !working && <WorkingLine since={waiting.at} />}
            </section>
          )}
        </div>
      </div>
      {cards && <cards.Announcer />}
      {unread !== null && (
        <button type="button" class="pill" data-quiet={unread === 0 || undefined} onClick={toEnd}>
          <Icon name="down" />
          <span class={unread === 0 ? 'hidden' : undefined}>
            {unread === 0 ? label('latest') : label('newMessages', { count: unread })}
          </span>
        </button>
      )}
    </div>
  );
}

type SliceProps = {
  turns: readonly Turn[];
  settled: boolean;
  draw: (turn: Turn, offset: number) => VNode;
};

/** Some turns. Those in the past are drawn once, and again only if one of them changes. */
function Slice({ turns, settled, draw }: SliceProps) {
  const kept = useRef<{ turns: readonly Turn[]; settled: boolean; drawn: VNode }>(undefined);
  const { current } = kept;
  if (settled && current?.settled && turns.every((turn, index) => turn === current.turns[index]))
    return current.drawn;
  const drawn = (
    <div class="slice" data-settled={settled || undefined}>
      {turns.map(draw)}
    </div>
  );
  kept.current = { turns, settled, drawn };
  return drawn;
}

/** Whether a part that is still going on shows by itself that work goes on. */
function showsWork(part: TurnPart | undefined): boolean {
  if (!part) return false;
  if (part.kind === 'tool') return !['completed', 'failed', 'rejected'].includes(part.state);
  if (part.kind === 'sign-in') return !part.outcome;
  return 'done' in part && !part.done;
}

function Skeleton() {
  return (
    <div class="skeleton" aria-hidden="true">
      <i />
      <i />
      <i />
    </div>
  );
}
