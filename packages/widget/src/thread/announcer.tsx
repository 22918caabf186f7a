import type { ToolCallAction } from '@parley/protocol/ask';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { TurnPart } from '@parley/conversation';
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
  const [seenRunning, setSeenRunning] = useState<string | null>(null);
  useEffect(() => {
    if (last?.status === 'running') setSeenRunning(last.id);
  }, [last?.id, last?.status]);

  // A quick answer is there before it is ever drawn as running.
  const isNews = last && (last.id === seenRunning || conversation.isNews(last));
  const finished = isNews && last.status !== 'running';
  const reply = useMemo(() => (finished ? spoken(last.parts, label) : ''), [finished, last]);
  const waits = seenRunning !== null || ownTurns.size > 0;
  const request = waits && requests.at(-1);
  const displays = displaysOf(widget);
  const asked = ({ toolName, input }: ToolCallAction) =>
    summaryOf(toolName, input, displays, locale)
      ?.map(({ text }) => text)
      .join('') ?? titleOf(toolName, displays, locale);
  const signIn = waits && openSignIns.at(-1);
  return (
    <>
      <div class="hidden" aria-live="polite">
        {reply && `${last?.author?.name ?? face.name}: ${reply}`}
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
