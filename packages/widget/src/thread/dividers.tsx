import { useWidget } from '../widget-context.ts';

const longPause = 10 * 60 * 1_000;

/** What stands between two turns: that much time has passed, that the agent's memory was cleared or summarised, that a person came or went. */
export function Dividers({ before }: { before: number }) {
  const { conversation, label, locale } = useWidget();
  const { marks, turns } = conversation.transcript.value;
  const time = (index: number) => Date.parse(turns[index]?.startedAt ?? '');
  const now = new Date(time(before));
  return (
    <>
      {time(before) - time(before - 1) > longPause && (
        <p class="mark">
          <time dateTime={now.toISOString()}>
            {now.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' })}
          </time>
        </p>
      )}
      {marks
        .filter(({ turnsBefore }) => turnsBefore === before)
        .map(({ kind, at }) => (
          <p key={at + kind} class="mark">
            {label(kind)}
          </p>
        ))}
    </>
  );
}
