import type { Turn, TurnPart } from '@parley/conversation';
import { memo } from '../ui/memo.ts';
import { Markdown } from '../parts/markdown/markdown.tsx';
import { UserBubble } from './user-bubble.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Slot } from '../ui/slot.tsx';
import { useWidget } from '../widget-context.ts';

/** One message and all that came of it, drawn again only if that changed. */
export const TurnView = memo(
  ({ turn, index, last, named }: { turn: Turn; index: number; last: boolean; named: boolean }) => {
    const { face, label } = useWidget();
    const { user, status, author, away } = turn;
    const isPerson = author?.kind === 'team';
    const picture = author?.avatarUrl ?? face.avatar;
    const parts = joinInterrupted(turn.parts);
    return (
      <>
        <Slot name="Dividers" before={index} />
        {user && <UserBubble {...user} at={turn.startedAt} />}
        {parts.length > 0 && (
          <p class={named && (picture || author) ? 'speaker' : 'hidden'}>
            {isPerson ? <Slot name="Portrait" person={author} /> : <Avatar src={picture} />}
            <bdi>{author?.name ?? face.name}</bdi>
          </p>
        )}
        {parts.map((part, position) => {
          if (part.kind !== 'text') return <Slot key={position} name="Part" part={part} />;
          return (
            <div key={position} class="answer">
              <Markdown text={part.text} open={!part.done} />
              <Slot name="Ending" part={part} />
            </div>
          );
        })}
        {last && away && <Slot name="Away" {...away} />}
        {status === 'cancelled' && <p class="meta">{label('stopped')}</p>}
        {status === 'failed' && <Slot name="FailedTurn" turn={turn} last={last} />}
        {status !== 'running' && <Slot name="TurnActions" turn={turn} parts={parts} last={last} />}
      </>
    );
  },
);

/** A text that broke off and was gone on with is one text. */
function joinInterrupted(parts: readonly TurnPart[]): readonly TurnPart[] {
  const joined: TurnPart[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (part.kind === 'text' && before?.kind === 'text' && before.finishReason === 'other')
      joined.splice(-1, 1, { ...part, text: before.text + part.text });
    else joined.push(part);
  }
  return joined;
}
