import type { TranscriptMark } from '@parley/client/transcript';
import { Fragment } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import type { Chat } from '../chat/chat-model.ts';
import type { WidgetConfig } from '../chat/widget-config.ts';
import { Icon } from '../icon.tsx';
import { labels } from '../labels.ts';
import { EmptyState } from './empty-state.tsx';
import { OutgoingMessage } from './outgoing-message.tsx';
import { TurnsContext } from './lazy-turns.ts';
import { useFollowScroll } from './use-follow-scroll.ts';
import { WorkingLine } from './working-line.tsx';

/** The conversation from its beginning, with what was just sent at its end. */
export function Log({ chat, config }: { chat: Chat; config: WidgetConfig }) {
  const loaded = useContext(TurnsContext).value;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { away, toEnd } = useFollowScroll(scroller, content);
  const { turns, marks, status } = chat.transcript.value;
  const outbox = chat.outbox.value;
  const sent = outbox.length;
  useEffect(() => {
    if (sent > 0) toEnd();
  }, [sent]);

  const lastTurn = turns.at(-1);
  const waiting = outbox.some(({ state }) => state.kind !== 'failed');
  const silent = status === 'working' && !showsWork(lastTurn?.parts.at(-1));
  const working = silent || (waiting && status !== 'working');
  const empty = turns.length === 0 && sent === 0;

  return (
    <div class="scroll-area">
      <div
        class="log"
        role="log"
        aria-live="off"
        aria-label={labels.conversation}
        tabIndex={0}
        ref={scroller}
      >
        <div class="log-content" ref={content}>
          {((empty && chat.restoring.value) || (!empty && !loaded && sent === 0)) && <Skeleton />}
          {empty && !chat.restoring.value && <EmptyState chat={chat} config={config} />}
          {turns.map((turn, index) => (
            <Fragment key={turn.id}>
              <Marks marks={marks} before={index} />
              <section
                class="turn"
                data-own={
                  (index === turns.length - 1 && sent === 0 && chat.ownTurns.value.has(turn.id)) || undefined
                }
              >
                {loaded && <loaded.TurnView chat={chat} turn={turn} last={turn === lastTurn} />}
                {silent && turn === lastTurn && <WorkingLine since={Date.parse(turn.startedAt)} />}
              </section>
            </Fragment>
          ))}
          <Marks marks={marks} before={turns.length} />
          {sent > 0 && (
            <section class="turn" data-own={(status !== 'working' && waiting) || undefined}>
              {outbox.map((message) => (
                <OutgoingMessage
                  key={message.id}
                  chat={chat}
                  message={message}
                  queued={status === 'working'}
                />
              ))}
              {working && !silent && <WorkingLine since={Date.now()} />}
            </section>
          )}
        </div>
      </div>
      {loaded && <loaded.Announcer chat={chat} />}
      {away !== 'no' && (
        <button type="button" class="pill" data-quiet={away === 'away' || undefined} onClick={toEnd}>
          <Icon name="down" />
          <span class={away === 'away' ? 'hidden' : undefined}>
            {away === 'away' ? labels.latest : labels.newMessages}
          </span>
        </button>
      )}
    </div>
  );
}

/** Whether a part that is still going on shows by itself that work goes on. */
function showsWork(part: { kind: string; done?: boolean; state?: string } | undefined): boolean {
  if (part === undefined) return false;
  if (part.kind === 'tool')
    return part.state !== 'completed' && part.state !== 'failed' && part.state !== 'rejected';
  return part.done === false;
}

function Marks({ marks, before }: { marks: readonly TranscriptMark[]; before: number }) {
  return marks
    .filter(({ turnsBefore }) => turnsBefore === before)
    .map(({ kind, at }) => (
      <p key={at + kind} class="mark">
        {kind === 'cleared' ? labels.cleared : labels.compacted}
      </p>
    ));
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
