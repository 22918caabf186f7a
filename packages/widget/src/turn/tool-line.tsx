import type { ToolPart } from '@parley/client/turn';
import { useState } from 'preact/hooks';
import type { Chat } from '../chat/chat-model.ts';
import { Icon, type IconName } from '../icon.tsx';
import { labels } from '../labels.ts';
import { ApprovalCard } from './approval-card.tsx';
import { toolTitle, visibleJson, visibleText } from '../visible-text.ts';

const icons: Partial<Record<ToolPart['state'], IconName>> = {
  completed: 'check',
  failed: 'alert',
  rejected: 'blocked',
  expired: 'clock',
  cancelled: 'stop',
};

const running = new Set<ToolPart['state']>(['streaming-input', 'running', 'delegated']);

export function ToolLine({ chat, tool }: { chat: Chat; tool: ToolPart }) {
  const { approval, state } = tool;
  const [unfolded, setUnfolded] = useState(false);
  if (approval && state === 'awaiting-approval') {
    return <ApprovalCard key={approval.requestId} chat={chat} tool={tool} requestId={approval.requestId} />;
  }
  const title = toolTitle(tool.toolName);
  const input = hasContent(tool.input) ? tool.input : undefined;
  const output = hasContent(tool.output) ? tool.output : undefined;
  const line = (
    <>
      {running.has(state) ? <span class="spinner" /> : <Icon name={icons[state] ?? 'tool'} />}
      <bdi class="tool-title">{decided(tool, title)}</bdi>
      <span class="meta">
        {labels.toolStates[state]}
        {approval?.answer?.by === 'team' && ` · ${labels.byTeam}`}
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
            <Icon name="chevron" />
          </summary>
          {unfolded && input !== undefined && <Detail label={labels.arguments} value={input} />}
          {unfolded && output !== undefined && <Detail label={labels.result} value={output} />}
        </details>
      )}
      {state === 'failed' && <p class="meta tool-help">{labels.toolFailed}</p>}
    </div>
  );
}

function decided({ approval, state }: ToolPart, title: string): string {
  if (!approval) return title;
  if (state === 'rejected') return labels.declined(title);
  if (state === 'expired') return labels.expired(title);
  return labels.approved(title);
}

function Detail({ label, value }: { label: string; value: unknown }) {
  return (
    <>
      <p class="meta">{label}</p>
      <pre class="arguments" dir="ltr" tabIndex={0}>
        {typeof value === 'string' ? visibleText(value) : visibleJson(value)}
      </pre>
    </>
  );
}

function hasContent(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
