import type { KeyView } from '@parley/protocol/settings/key';
import type { DraftView } from '@parley/protocol/settings/revision';
import { call } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { announce } from '../ui/announcement.tsx';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';
import { draftPatchOf, entriesOf, entryField, entryProblems } from './agent-entries.ts';
import { LookFields, ModelFields, PersonaFields } from './agent-fields.tsx';
import { ModelTrial } from './model-trial.tsx';
import { Preview } from './preview.tsx';

interface AgentFormProps {
  readonly draft: DraftView;
  readonly keys: readonly KeyView[] | null;
  readonly onSaved: (draft: DraftView) => void;
}

/** What the draft says of an agent, and the widget that speaks to the draft. */
export function AgentForm({ draft, keys, onSaved }: AgentFormProps) {
  const { agent, changedAt, live } = draft;
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
      const patch = draftPatchOf(values, entriesOf(agent), agent.model);
      onSaved(await call<DraftView>('PATCH', `/agents/${agent.id}/draft`, patch));
      form.reset();
      announce('Saved in the draft. Visitors have it once you publish.');
    });
  };
  const { name, accent, theme } = form.values;
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
              {isChanged ? 'There are changes that are not saved.' : 'Everything is saved in the draft.'}
            </p>
            <button type="button" class="button" disabled={!isChanged} onClick={form.reset}>
              Undo
            </button>
            <button type="submit" class="button primary" disabled={form.busy || !isChanged}>
              Save draft
            </button>
          </div>
        ) : (
          <p class="hint">Your role reads settings. An admin can change them.</p>
        )}
      </form>
      <Preview
        agentId={agent.id}
        keys={keys}
        revision={`${live} ${changedAt}`}
        name={name}
        accent={accent}
        theme={theme}
      />
    </div>
  );
}
