import type { ToolCallAction } from '@parley/protocol/ask';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Turn, TurnPart } from '@parley/conversation';
import { useSignal } from '../ui/use-signal.ts';
import { useWidget } from '../widget-context.ts';
import { displaysOf } from '../parts/tool/displays-of.ts';
import type { Words } from '../i18n/labels.ts';
import { toPlainText } from './to-plain-text.ts';
import { summaryOf, titleOf } from '@parley/protocol/tool-text';
import { escapeInvisible } from '@parley/protocol/escape-invisible';

/** Reads a finished answer out once, and at once what the agent needs. History is not read. */
export function Announcer() {
  const widget = useWidget();
  const { conversation, face, label, locale } = widget;
  const transcript = useSignal(conversation.transcript);
  const ownTurns = useSignal(conversation.ownTurns);
  const openSignIns = useSignal(conversation.openSignIns);
  const { turns, requests } = transcript;
  const last = turns.at(-1);
  /** Of two questions that wait for each other the second may be worked on before the first answer is drawn. */
  const finished = turns.findLast(({ status }) => status !== 'running');
  /** The turns of another conversation have the same ids. */
  const keyOf = ({ id }: Turn) => `${conversation.session.value?.sessionId} ${id}`;
  const [seenRunning, setSeenRunning] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (last?.status === 'running') setSeenRunning((seen) => new Set(seen).add(keyOf(last)));
  }, [last?.id, last?.status]);

  // A quick answer is there before it is ever drawn as running.
  const isNews = finished && (seenRunning.has(keyOf(finished)) || conversation.isNews(finished));
  // An ended turn may still change, as when the team answers: it is not read again.
  const reply = useMemo(
    () => (isNews ? spoken(finished.parts, label) : ''),
    [isNews, finished && keyOf(finished)],
  );
  const waits = seenRunning.size > 0 || ownTurns.size > 0;
  // As in `tool-line.tsx`: without options, an approval is the team's to give.
  const request = waits && requests.findLast(({ kind, options }) => kind !== 'tool-approval' || options?.[0]);
  const displays = displaysOf(widget);
  const asked = ({ toolName, input }: ToolCallAction) =>
    summaryOf(toolName, input, displays, locale)
      ?.map(({ text }) => text)
      .join('') ?? titleOf(toolName, displays, locale);
  const signIn = waits && openSignIns.at(-1);
  return (
    <>
      <div class="hidden" aria-live="polite">
        {reply && <p key={finished?.id}>{`${finished?.author?.name ?? face.name}: ${reply}`}</p>}
      </div>
      <div class="hidden" aria-live="assertive">
        {request &&
          (request.kind === 'tool-approval'
            ? `${label('approvalTitle')}: ${asked(request.action)}`
            : `${label('question')}: ${request.prompt}`)}
        {signIn && label('signInTitle', { name: escapeInvisible(signIn.name) })}
      </div>
    </>
  );
}

const spoken = (parts: readonly TurnPart[], label: Words['label']): string =>
  parts
    .map((part) => {
      if (part.kind === 'text') return toPlainText(part.text);
      return part.kind === 'team-question' && part.state === 'open' ? label('teamChecks') : '';
    })
    .join('\n');
