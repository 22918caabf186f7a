import type { RemoteView } from '@parley/protocol/settings/connection';
import type { ConnectionTool } from '@parley/protocol/settings/mcp-connection';
import { useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { announce } from '../ui/announcement.tsx';
import { Problem } from '../ui/notice.tsx';
import type { Choice } from './choice.ts';
import { ToolRow } from './tool-row.tsx';

interface ToolChoiceProps {
  readonly connection: RemoteView;
  readonly onSaved: (connection: RemoteView) => void;
}

/** Which of the tools the agent may use, and who is asked before. */
export function ToolChoice({ connection, onSaved }: ToolChoiceProps) {
  const { id, tools } = connection;
  const [choices, setChoices] = useState<Readonly<Record<string, Choice>>>(() => storedChoices(tools));
  const [problem, setProblem] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const isChanged = JSON.stringify(choices) !== JSON.stringify(storedChoices(tools));
  const used = tools.filter(({ name }) => choices[name]).length;
  const save = async () => {
    setSaving(true);
    try {
      const chosen = tools.flatMap(({ name }) => {
        const choice = choices[name];
        return choice ? [{ name, ...choice }] : [];
      });
      onSaved(await call<RemoteView>('PATCH', `/connections/${id}`, { tools: chosen }));
      announce('Saved. The agent has them from its next turn on.');
    } catch (error) {
      setProblem(sentenceOf(error));
    } finally {
      setSaving(false);
    }
  };
  return (
    <section>
      <h2 class="section">Tools</h2>
      {problem && <Problem>{problem}</Problem>}
      <div class="card">
        {tools.length === 0 ? (
          <p class="hint">The server has listed none so far.</p>
        ) : (
          <ul class="connection-tools">
            {tools.map((tool) => (
              <ToolRow
                key={tool.name}
                tool={tool}
                choice={choices[tool.name] ?? null}
                onChoose={(choice) => setChoices({ ...choices, [tool.name]: choice })}
              />
            ))}
          </ul>
        )}
        {tools.length > 0 && isAtLeast('admin') && (
          <div class="actions">
            <p class="hint" role="status">
              {isChanged ? 'There are changes that are not saved.' : `${used} of ${tools.length} in use.`}
            </p>
            <button
              type="button"
              class="button primary"
              disabled={!isChanged || isSaving}
              onClick={() => void save()}
            >
              Save tools
            </button>
          </div>
        )}
      </div>
    </section>
  );
}

function storedChoices(tools: readonly ConnectionTool[]): Record<string, Choice> {
  return Object.fromEntries(
    tools.map(({ name, status, approval, fingerprint }) => [
      name,
      status === 'approved' || status === 'missing' ? { approval, fingerprint } : null,
    ]),
  );
}
