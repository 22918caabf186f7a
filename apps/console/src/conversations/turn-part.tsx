import type { InputAnswer, TeamQuestionPart, ToolPart, TurnPart } from '@parley/conversation';
import { escapeInvisible, visibleJson } from '@parley/protocol/escape-invisible';
import { type ComponentChildren, Fragment } from 'preact';
import { MarkdownDocument } from '@parley/widget/markdown';

/** A part of an answer, for somebody who may see all of it and change nothing. */
export function TurnPartView({ part }: { readonly part: TurnPart }) {
  switch (part.kind) {
    case 'text':
      return (
        <div class="answer">
          <MarkdownDocument text={part.text} />
          {part.sources && part.sources.length > 0 && (
            <ol class="meta cited" aria-label="Sources">
              {part.sources.map(({ number, title, url }) => (
                <li key={number}>
                  {number}.{' '}
                  {url ? (
                    <a href={url} target="_blank" rel="noopener noreferrer">
                      {title}
                    </a>
                  ) : (
                    title
                  )}
                </li>
              ))}
            </ol>
          )}
        </div>
      );
    case 'reasoning':
      return (
        <details class="tool">
          <summary>Reasoning</summary>
          <MarkdownDocument text={part.text} />
        </details>
      );
    case 'tool':
      return <Tool tool={part} />;
    case 'question':
      return (
        <Asked prompt={part.prompt} state={part.state}>
          {part.answer?.text ?? part.options.find(({ id }) => id === part.answer?.optionId)?.label}
        </Asked>
      );
    case 'sign-in':
      return <Asked prompt={part.description} state={part.outcome ?? 'open'} />;
    case 'team-question':
      return (
        <Asked prompt={part.question ?? 'The agent asked the team.'} state={teamStates[part.state]}>
          {part.answer && part.author?.name ? `${part.answer} (${part.author.name})` : part.answer}
        </Asked>
      );
    case 'result':
      return <Json value={part.result} label="Result" />;
  }
}

const states: Record<ToolPart['state'], string> = {
  'streaming-input': 'being called',
  running: 'running',
  'awaiting-approval': 'waits for approval',
  delegated: 'runs in the page',
  completed: 'done',
  failed: 'failed',
  rejected: 'declined',
  expired: 'expired',
  cancelled: 'cancelled',
};

const teamStates: Record<TeamQuestionPart['state'], string> = {
  open: 'Asked of the team',
  answered: 'Answered by the team',
  expired: 'Nobody of the team answered in time',
  withdrawn: 'No longer asked',
};

function Tool({
  tool: { toolName, state, input, output, error, approval, amended = [] },
}: {
  readonly tool: ToolPart;
}) {
  return (
    <details class="tool" data-state={state}>
      <summary>
        <code>{toolName}</code> <span class="meta">{states[state]}</span>
      </summary>
      {approval && <p class="meta">{approval.answer ? answeredBy(approval.answer) : approval.prompt}</p>}
      {amended.map(({ by = 'The team', before }, index) => (
        <Fragment key={index}>
          <p class="meta">{by} changed the arguments. Before:</p>
          <Json value={before} label="Arguments before" />
        </Fragment>
      ))}
      {amended.length > 0 && <p class="meta">Now:</p>}
      {input !== undefined && <Json value={input} label="Arguments" />}
      {output !== undefined && <Json value={output} label="Result" />}
      {error && <p class="error">{error.message}</p>}
    </details>
  );
}

const answeredBy = ({ optionId, by, member }: InputAnswer): string =>
  `${optionId === 'approve' ? 'Approved' : 'Declined'} by ${member?.name ?? (by === 'team' ? 'the team' : 'the visitor')}.`;

interface AskedProps {
  readonly prompt: string;
  readonly state: string;
  readonly children?: ComponentChildren;
}

const Asked = ({ prompt, state, children }: AskedProps) => (
  <div class="tool asked">
    <p dir="auto">{prompt}</p>
    <p class="meta">{children ? <>Answered: {children}</> : state}</p>
  </div>
);

export const Json = ({ value, label }: { readonly value: unknown; readonly label: string }) => (
  <pre class="json" dir="ltr" tabIndex={0} role="region" aria-label={label}>
    {typeof value === 'string' ? escapeInvisible(value) : visibleJson(value)}
  </pre>
);
