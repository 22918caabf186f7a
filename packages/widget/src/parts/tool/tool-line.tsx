import type { ToolPart } from '@parley/conversation';
import { useState } from 'preact/hooks';
import { CardIcon, type CardIconName } from '../../ui/card-icon.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { Elapsed } from '../../thread/elapsed.tsx';
import { useTitle } from './use-title.ts';
import { visibleJson, escapeInvisible } from '@parley/protocol/escape-invisible';
import { useWidget } from '../../widget-context.ts';

const ApprovalCard = lazy(() => import('./approval-card.tsx'));

const icons: Partial<Record<ToolPart['state'], CardIconName>> = {
  completed: 'check',
  failed: 'alert',
  rejected: 'blocked',
  expired: 'clock',
  'awaiting-approval': 'clock',
  cancelled: 'stop',
};

const running = new Set<ToolPart['state']>(['streaming-input', 'running', 'delegated']);

export function ToolLine({ tool }: { tool: ToolPart }) {
  const widget = useWidget();
  const { conversation, label } = widget;
  const { approval, state } = tool;
  const title = useTitle(tool.toolName);
  const turn = conversation.transcript.value.turns.at(-1);
  const [unfolded, setUnfolded] = useState(false);
  // Without a choice it is the team's.
  if (approval?.options[0] && state === 'awaiting-approval') {
    return <ApprovalCard key={approval.requestId} tool={tool} requestId={approval.requestId} />;
  }
  const input = hasContent(tool.input) ? tool.input : undefined;
  const output = hasContent(tool.output) ? tool.output : undefined;
  const notes = [
    // The title has said it already.
    !(approval && ['rejected', 'expired'].includes(state)) &&
      (counted(tool, label) ?? label(`tool-${state}`)),
    tool.amended && label('amended'),
    approval?.answer?.by === 'team' && label('byTeam'),
  ].filter(Boolean);
  const line = (
    <>
      {running.has(state) ? <span class="spinner" /> : <CardIcon name={icons[state] ?? 'tool'} />}
      <span class="tool-title">
        <bdi>{decided(tool, title, label)}</bdi> <span class="meta">{notes.join(' · ')}</span>
      </span>
    </>
  );
  return (
    <div class="tool" data-state={state}>
      {input === undefined && output === undefined ? (
        <p class="tool-line">{line}</p>
      ) : (
        <details onToggle={(event) => setUnfolded(event.currentTarget.open)}>
          <summary class="tool-line">
            {line}
            <CardIcon name="chevron" />
          </summary>
          {unfolded && input !== undefined && <Detail label={label('arguments')} value={input} />}
          {unfolded && output !== undefined && <Detail label={label('result')} value={output} />}
        </details>
      )}
      {running.has(state) && state !== 'delegated' && turn?.parts.at(-1) === tool && (
        <p class="working tool-help">
          <Elapsed since={conversation.clock.localTime(turn.startedAt)} quiet />
        </p>
      )}
      {state === 'failed' && <p class="meta tool-help">{label('toolFailed')}</p>}
    </div>
  );
}

type Label = ReturnType<typeof useWidget>['label'];

/** Who has approved it already, while more have to. */
function counted({ approval, state }: ToolPart, label: Label): string | null {
  const { given = [], needed = 1 } = approval ?? {};
  if (state !== 'awaiting-approval' || given.length === 0) return null;
  if (given.includes('visitor')) return label('youApproved');
  return label('someApproved', { given: String(given.length), needed: String(needed) });
}

function decided({ approval, state }: ToolPart, title: string, label: Label): string {
  if (!approval || state === 'awaiting-approval') return title;
  const outcome = state === 'rejected' ? 'declined' : state === 'expired' ? 'expired' : 'approved';
  return label(outcome, { what: title });
}

function Detail({ label, value }: { label: string; value: unknown }) {
  return (
    <>
      <p class="meta">{label}</p>
      <pre class="arguments" dir="ltr" tabIndex={0}>
        {typeof value === 'string' ? escapeInvisible(value) : visibleJson(value)}
      </pre>
    </>
  );
}

function hasContent(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
