import type { RemoteView } from '@parley/protocol/settings/connection';
import { call } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { announce } from '../ui/announcement.tsx';
import { Problem } from '../ui/notice.tsx';
import type { Choice } from './choice.ts';
import { useForm } from '../ui/use-form.ts';
import { type Choices, storedChoices, toolsBody, withChosen } from './tool-choices.ts';
import { ToolRow } from './tool-row.tsx';

interface ToolChoiceProps {
  readonly connection: RemoteView;
  readonly onSaved: (connection: RemoteView) => void;
}

/** Which of the tools the agent may use, and who is asked before. */
export function ToolChoice({ connection, onSaved }: ToolChoiceProps) {
  const { id, tools } = connection;
  // What is chosen beside what is stored: the latter may be another one by the time that somebody is back.
  const form = useForm({ name: `tools of ${id}`, initial: { chosen: '{}' } });
  const stored = storedChoices(tools);
  const kept = JSON.parse(form.values.chosen) as Choices;
  const choices = withChosen(tools, kept);
  const isChanged = JSON.stringify(choices) !== JSON.stringify(stored);
  const used = tools.filter(({ name }) => choices[name]).length;
  const choose = (name: string, choice: Choice) => {
    const chosen = Object.entries({ ...choices, [name]: choice }).filter(
      ([each, made]) => JSON.stringify(made) !== JSON.stringify(stored[each]),
    );
    form.set('chosen', JSON.stringify(Object.fromEntries(chosen)));
  };
  const save = () =>
    form.submit(
      () => ({}),
      async () => {
        const now = await call<RemoteView>('GET', `/connections/${id}`);
        const body = { tools: toolsBody(now.tools, kept) };
        const saved = await call<RemoteView>('PATCH', `/connections/${id}`, body);
        form.reset();
        onSaved(saved);
        const taken = new Set(body.tools.map(({ name }) => name));
        const isWhole = Object.entries(kept).every(([name, choice]) => !choice || taken.has(name));
        announce(
          isWhole
            ? 'Saved. The agent has them from its next turn on.'
            : 'Saved, without what its server has changed meanwhile: look at that again.',
        );
      },
    );
  return (
    <section>
      <h2 class="section">Tools</h2>
      {form.problem && <Problem>{form.problem}</Problem>}
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
                onChoose={(choice) => choose(tool.name, choice)}
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
              disabled={!isChanged || form.busy}
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
