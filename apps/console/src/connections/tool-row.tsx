import type { ConnectionTool } from '@parley/protocol/settings/mcp-connection';
import { useId } from 'preact/hooks';
import { isAtLeast } from '../api/member.ts';
import { TextDifference } from '../revisions/text-difference.tsx';
import type { Choice } from './choice.ts';

interface ToolRowProps {
  readonly tool: ConnectionTool;
  readonly choice: Choice;
  readonly onChoose: (choice: Choice) => void;
}

const approvals = [
  ['never', 'Runs by itself'],
  ['once', 'Asks once'],
  ['always', 'Asks every time'],
] as const;

/** A tool of a server: what it says of itself, whether it is used, and who is asked before. */
export function ToolRow({ tool, choice, onChoose }: ToolRowProps) {
  const id = useId();
  const { name, title, description, status, problem, approval, fingerprint, before } = tool;
  const mayChoose = isAtLeast('admin') && status !== 'unusable';
  return (
    <li>
      <input
        id={id}
        type="checkbox"
        checked={choice !== null}
        disabled={!mayChoose}
        aria-describedby={`${id}-said`}
        onInput={({ currentTarget }) => onChoose(currentTarget.checked ? { approval, fingerprint } : null)}
      />
      <div>
        <label for={id}>{title ?? name}</label>
        {title !== null && title !== name && <span class="meta"> {name}</span>}
        <p class="meta connection-said" id={`${id}-said`}>
          {problem ??
            (status === 'missing' ? 'The server does not list it any more, so it is not used.' : description)}
        </p>
        <Hints tool={tool} />
        {status !== 'missing' && <Everything tool={tool} />}
      </div>
      {choice === null ? (
        <span class={status === 'changed' ? 'badge warn' : 'badge'}>{words[status]}</span>
      ) : (
        <select
          aria-label={`Approval of ${title ?? name}`}
          value={choice.approval}
          disabled={!mayChoose}
          onInput={({ currentTarget: { value } }) => {
            const chosen = approvals.find(([each]) => each === value)?.[0];
            if (chosen) onChoose({ ...choice, approval: chosen });
          }}
        >
          {approvals.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
      {before && <Change tool={tool} before={before} />}
    </li>
  );
}

const words: Readonly<Record<ConnectionTool['status'], string>> = {
  available: 'Not used',
  approved: 'Not used',
  changed: 'Changed, not used',
  missing: 'Gone',
  unusable: 'Cannot be used',
};

function Hints({ tool: { hints, status } }: { readonly tool: ConnectionTool }) {
  if (status === 'unusable' || status === 'missing') return null;
  const said = hints.readOnly
    ? 'It says that it only reads.'
    : hints.destructive
      ? 'It may change or delete things.'
      : 'It changes things.';
  return <p class="hint">{said}</p>;
}

/** A text that is cut could go on with what nobody should approve. */
const Everything = ({ tool: { description, parameters } }: { readonly tool: ConnectionTool }) => (
  <details>
    <summary>All that the model reads</summary>
    <pre class="connection-all" tabIndex={0}>
      {description}
      {'\n\n'}
      {json(parameters)}
    </pre>
  </details>
);

interface ChangeProps {
  readonly tool: ConnectionTool;
  readonly before: NonNullable<ConnectionTool['before']>;
}

/** What a server says otherwise since somebody approved it. */
function Change({ tool, before }: ChangeProps) {
  const parts = [
    ['Description', before.description, tool.description],
    ['Title', before.title ?? '', tool.title ?? ''],
    ['Parameters', json(before.parameters), json(tool.parameters)],
    ['What it says of its effects', json(before.hints), json(tool.hints)],
  ] as const;
  const differing = parts.filter(([, was, is]) => was !== is);
  return (
    <div class="connection-change">
      <p>The server has changed this tool since it was approved. Tick it to approve what it says now.</p>
      {differing.map(([what, was, is]) => (
        <div key={what}>
          <h3>{what}</h3>
          <TextDifference before={was} after={is} />
        </div>
      ))}
      {differing.length === 0 && <p class="hint">What differs is a detail that no model reads.</p>}
    </div>
  );
}

const json = (value: unknown): string => JSON.stringify(value, null, 1);
