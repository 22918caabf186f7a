import type { Turn } from '@parley/conversation';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { memo } from '../ui/memo.ts';
import { Slot } from '../ui/slot.tsx';
import { useSignal } from '../ui/use-signal.ts';
import { useWidget } from '../widget-context.ts';
import { EmptyState } from './empty-state.tsx';
import { TurnView } from './turn-view.tsx';
import { useFollowScroll } from './use-follow-scroll.ts';
import { UserBubble } from './user-bubble.tsx';
import { WorkingLine } from './working-line.tsx';

/** Drawn within one frame, also where they are long. */
const sliceLength = 3;
/** As many as fill the panel, also where the newest is short. */
const slicesAtOnce = 3;
const idle: (callback: () => void) => unknown = globalThis.requestIdleCallback ?? setTimeout;

/** The conversation from its beginning, with what was just sent at its end. */
export function Log() {
  const { conversation, cards, label } = useWidget();
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const transcript = useSignal(conversation.transcript);
  const outbox = useSignal(conversation.outbox);
  const leading = useSignal(conversation.leading);
  const failure = useSignal(conversation.failure);
  const restoring = useSignal(conversation.restoring);
  const online = useSignal(conversation.online);
  const { turns, status } = transcript;
  const working = status === 'working';
  const { unread, toEnd } = useFollowScroll(scroller, content, turns.length, working);
  const sent = outbox.length;
  const newest = outbox.at(-1)?.at ?? 0;
  const seen = useRef(0);
  useEffect(() => {
    // One that is taken or given up moves nobody.
    if (newest > seen.current) toEnd();
    seen.current = Math.max(newest, seen.current);
  }, [newest]);

  const exchanges: Turn[][] = [];
  for (const turn of turns) {
    if (turn.user || exchanges.length === 0) exchanges.push([]);
    exchanges.at(-1)!.push(turn);
  }
  const slices: (readonly Turn[][])[] = [];
  for (let at = 0; at < exchanges.length; at += sliceLength)
    slices.push(exchanges.slice(at, at + sliceLength));
  const [shown, setShown] = useState(slicesAtOnce);
  const first = Math.max(0, slices.length - shown);
  useEffect(() => {
    // With the cards all that is shown is drawn anew.
    if (first > 0 && cards) idle(() => setShown(shown + slicesAtOnce));
  }, [first, shown, cards]);

  const lastTurn = turns.at(-1);
  const waiting = outbox.find(({ state }) => state.kind !== 'failed');
  const lastPart = lastTurn?.parts.at(-1);
  const active = lastPart && ('done' in lastPart ? !lastPart.done : cards?.showsWork(lastPart));
  const silent = working && !active;
  const empty = turns.length === 0 && sent === 0;

  const section = (turn: Turn, position: number, exchange: readonly Turn[]) => {
    const last = turn === lastTurn;
    const before = exchange[position - 1];
    // Where somebody goes on, they have been named.
    const named = !before || before.author?.name !== turn.author?.name;
    return (
      <section key={turn.id} class="turn">
        <TurnView turn={turn} index={turns.indexOf(turn)} last={last} named={named} />
        {silent && last && (
          <WorkingLine since={conversation.clock.localTime(turn.startedAt)} offline={!online} />
        )}
      </section>
    );
  };
  /** A message and its answer, however often that had to wait for the visitor and then went on. */
  const whole = (exchange: readonly Turn[]) => {
    const { id } = exchange[0]!;
    const own = exchanges.length > 1 && sent === 0 && exchange.at(-1) === lastTurn && id === leading;
    return (
      <div key={id} class="exchange" data-own={own || undefined}>
        {exchange.map(section)}
      </div>
    );
  };

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
          {restoring && <Skeleton />}
          {empty && !restoring && !failure && <EmptyState />}
          {slices.map(
            (slice, index) =>
              index >= first && (
                <Slice key={index} exchanges={slice} settled={index < slices.length - 1} draw={whole} />
              ),
          )}
          <Slot name="Dividers" before={turns.length} />
          {sent > 0 && (
            <section
              class="turn exchange"
              data-own={(turns.length > 0 && !working && waiting && true) || undefined}
            >
              {outbox.map((message) => (
                <UserBubble key={message.id} {...message} unsent={message}>
                  <Slot
                    name="Unsent"
                    message={message}
                    instead={
                      <p class="meta">{label(message.state.kind === 'failed' ? 'notSent' : 'sending')}</p>
                    }
                  />
                </UserBubble>
              ))}
              {waiting && !working && online && <WorkingLine since={waiting.at} />}
            </section>
          )}
        </div>
      </div>
      <Slot name="Announcer" />
      {unread !== null && !empty && <Slot name="ScrollToEndButton" unread={unread} toEnd={toEnd} />}
    </div>
  );
}

type SliceProps = {
  exchanges: readonly Turn[][];
  settled: boolean;
  draw: (exchange: readonly Turn[]) => VNode;
};

/** Some of the conversation. What is in the past is drawn once, and again only if a turn of it changes. */
const Slice = memo(
  ({ exchanges, settled, draw }: SliceProps) => (
    <div class="slice" data-settled={settled || undefined}>
      {exchanges.map(draw)}
    </div>
  ),
  (before, now) => {
    if (!before.settled || !now.settled) return false;
    const turns = before.exchanges.flat();
    return now.exchanges.flat().every((turn, index) => turn === turns[index]);
  },
);

function Skeleton() {
  return (
    <div class="skeleton" aria-hidden="true">
      <i />
      <i />
      <i />
    </div>
  );
}
