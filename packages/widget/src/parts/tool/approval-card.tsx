import type { ToolPart } from '@parley/conversation';
import { useRef } from 'preact/hooks';
import css from './approval-card.css?inline';
import { CardIcon } from '../../ui/card-icon.tsx';
import { errorText } from '../../ui/error-text.ts';
import { displaysOf } from './displays-of.ts';
import { useClickjackingGuard } from './use-clickjacking-guard.ts';
import { argumentRows, summaryOf, titleOf } from '@parley/protocol/tool-text';
import { visibleJson, escapeInvisible } from '@parley/protocol/escape-invisible';
import { useSignal } from '../../ui/use-signal.ts';
import { useWidget } from '../../widget-context.ts';

type Props = { tool: ToolPart; requestId: string };

/** What is about to happen, in a sentence and with every argument, and two equal ways to answer. */
function ApprovalCard({ tool, requestId }: Props) {
  const widget = useWidget();
  const { conversation, label, locale } = widget;
  const buttons = useRef<HTMLDivElement>(null);
  // The card can be higher than the frame: its buttons alone must be in view.
  const armed = useClickjackingGuard(buttons);
  const state = useSignal(conversation.replies).get(requestId);
  const answer = (optionId: string) => {
    if (armed) conversation.respond(requestId, { optionId });
  };
  const disabled = !armed || state?.kind === 'sending';
  const titleId = `approval-${requestId}`;
  const { toolName, input } = tool;
  const displays = displaysOf(widget);
  const summary = summaryOf(toolName, input, displays, locale);
  const rows = argumentRows(toolName, input, displays);
  return (
    <div class="card" role="group" aria-labelledby={titleId}>
      <p class="card-kind">
        <CardIcon name="shield" />
        {label('approvalTitle')}
      </p>
      <p class="card-title" id={titleId}>
        {summary ? (
          summary.map(({ text, isArgument }) => (isArgument ? <bdi class="argument">{text}</bdi> : text))
        ) : (
          <bdi>{titleOf(toolName, displays, locale)}</bdi>
        )}
      </p>
      {rows.length > 0 && (
        <dl class="argument-rows" tabIndex={0} aria-label={label('arguments')}>
          {rows.map((row) => (
            <>
              <dt dir="auto">{row.label}</dt>
              <dd dir="auto">{row.value}</dd>
            </>
          ))}
        </dl>
      )}
      <details>
        <summary class="meta">
          {label('details')}
          <CardIcon name="chevron" />
        </summary>
        <p class="meta">
          <code dir="ltr">{escapeInvisible(toolName)}</code>
        </p>
        <pre class="arguments" dir="ltr" tabIndex={0}>
          {visibleJson(input ?? {})}
        </pre>
      </details>
      {tool.approval?.given?.includes('team') && <p>{label('teamApproved')}</p>}
      {state?.kind === 'failed' && (
        <p class="problem" role="alert">
          {errorText(state.error.code, label)}
        </p>
      )}
      <div class="pair" ref={buttons}>
        <button type="button" class="button" disabled={disabled} onClick={() => answer('deny')}>
          {label('decline')}
        </button>
        <button type="button" class="button primary" disabled={disabled} onClick={() => answer('approve')}>
          {label('approve')}
        </button>
      </div>
    </div>
  );
}

export { css, ApprovalCard as Component };
