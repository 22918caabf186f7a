import type { AgentView } from '@parley/protocol/settings/agent';
import type { KeyView } from '@parley/protocol/settings/key';
import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { announce } from '../ui/announcement.tsx';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';
import { entriesOf, entryField, entryProblems, patchOf } from './agent-entries.ts';
import { LookFields, ModelFields, PersonaFields } from './agent-fields.tsx';
import { ModelTrial } from './model-trial.tsx';
import { Preview } from './preview.tsx';

interface AgentFormProps {
  readonly agent: AgentView;
  readonly keys: readonly KeyView[] | null;
  readonly onSaved: (agent: AgentView) => void;
}

export function AgentForm({ agent, keys, onSaved }: AgentFormProps) {
  const [revision, setRevision] = useState(0);
  const form = useForm({
    name: `agent ${agent.id}`,
    initial: entriesOf(agent),
    secret: ['apiKey'],
    fieldOf: entryField,
  });
  const isChanged = Object.keys(form.entries).length > 0;
  const save = async (event: Event) => {
    event.preventDefault();
    await form.submit(entryProblems, async (values) => {
      const saved = await call<AgentView>('PATCH', `/agents/${agent.id}`, patchOf(values, agent.model));
      onSaved(saved);
      form.reset();
      setRevision(revision + 1);
      announce('Saved. Visitors have it now.');
    });
  };
  const { name, accent, theme } = form.values;
  const key = keys?.find(({ kind }) => kind === 'publishable')?.key ?? null;
  return (
    <div class="beside">
      <form ref={form.form} noValidate onSubmit={(event) => void save(event)}>
        {form.problem && <Problem>{form.problem}</Problem>}
        <PersonaFields form={form} />
        <ModelFields form={form} stored={agent.model}>
          {isAtLeast('admin') && <ModelTrial form={form} agent={agent} />}
        </ModelFields>
        <LookFields form={form} />
        {isAtLeast('admin') ? (
          <div class="actions sticky">
            <p class="hint" role="status">
              {isChanged ? 'There are changes that are not saved.' : 'Everything is saved.'}
            </p>
            <button type="button" class="button" disabled={!isChanged} onClick={form.reset}>
              Discard
            </button>
            <button type="submit" class="button primary" disabled={form.busy || !isChanged}>
              Save
            </button>
          </div>
        ) : (
          <p class="hint">Your role reads settings. An admin can change them.</p>
        )}
      </form>
      {keys !== null && (
        <Preview publishableKey={key} revision={revision} name={name} accent={accent} theme={theme} />
      )}
    </div>
  );
}
