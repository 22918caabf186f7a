import type { Turn, TurnPart } from '@parley/client/turn';
import { useMemo } from 'preact/hooks';
import type { Chat } from '../chat/chat-model.ts';
import { Icon } from '../icon.tsx';
import { labels } from '../labels.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { maximumLength } from '../markdown/split.ts';
import { QuestionCard } from './question-card.tsx';
import { ToolLine } from './tool-line.tsx';
import { UserBubble } from '../panel/user-bubble.tsx';
import { visibleJson } from '../visible-text.ts';

/** One message and all that came of it. A turn that did not change keeps its vnodes. */
export function TurnView({ chat, turn, last }: { chat: Chat; turn: Turn; last: boolean }) {
  return useMemo(
    () => (
      <>
        {turn.user && <UserBubble text={turn.user.text} at={turn.startedAt} />}
        {turn.parts.map((part, index) => (
          <Part key={index} chat={chat} part={part} />
        ))}
        <Outcome chat={chat} turn={turn} last={last} />
      </>
    ),
    [turn, last],
  );
}

function Part({ chat, part }: { chat: Chat; part: TurnPart }) {
  switch (part.kind) {
    case 'text':
      return (
        <div class="answer">
          <Markdown text={part.text} open={!part.done} />
          {part.text.length > maximumLength && <p class="meta">{labels.cutShort}</p>}
          {part.finishReason === 'length' && <p class="meta">{labels.cutOff}</p>}
          {part.finishReason === 'content-filter' && <p class="meta">{labels.filtered}</p>}
        </div>
      );
    case 'reasoning':
      return (
        <details class="reasoning">
          <summary class="tool-line">
            <span class={part.done ? undefined : 'shimmer'}>
              {part.done ? labels.reasoning : labels.thinking}
            </span>
            <Icon name="chevron" />
          </summary>
          <Markdown text={part.text} open={!part.done} />
        </details>
      );
    case 'tool':
      return <ToolLine chat={chat} tool={part} />;
    case 'question':
      return <QuestionCard key={part.requestId} chat={chat} question={part} />;
    case 'result':
      return (
        <pre class="arguments" dir="ltr" tabIndex={0}>
          {visibleJson(part.result)}
        </pre>
      );
  }
}

function Outcome({ chat, turn, last }: { chat: Chat; turn: Turn; last: boolean }) {
  if (turn.status === 'cancelled') return <p class="meta outcome">{labels.stopped}</p>;
  if (turn.status !== 'failed') return null;
  const { user } = turn;
  return (
    <div class="failure" role="alert">
      <Icon name="alert" />
      <p>{labels.turnFailed}</p>
      {last && user && (
        <button type="button" class="button small" onClick={() => chat.send(user.text)}>
          {labels.retry}
        </button>
      )}
    </div>
  );
}
