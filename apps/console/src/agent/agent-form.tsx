import type { KeyView } from '@parley/protocol/settings/key';
import type { DraftView } from '@parley/protocol/settings/revision';
import { useEffect } from 'preact/hooks';
import { call } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { orReload } from '../revisions/or-reload.ts';
import { announce } from '../ui/announcement.tsx';
import { Field } from '../ui/field.tsx';
import { lazy } from '../ui/lazy.tsx';
import { Sections } from '../ui/sections.tsx';
import { useForm } from '../ui/use-form.ts';
import { entriesOf, entryField, entryProblems } from './agent-entries.ts';
import { GreetingFields, LookFields, ModelFields, PersonaFields } from './agent-fields.tsx';
import { AnswerFields } from './answer-fields.tsx';
import { BeforeFields } from './before-fields.tsx';
import { conductField, conductOf, conductProblems } from './conduct-entries.ts';
import { draftPatchOf } from './draft-patch.ts';
import { FileFields } from './file-fields.tsx';
import { KeepingFields } from './keeping-fields.tsx';
import { LimitFields } from './limit-fields.tsx';
import { ModelTrial } from './model-trial.tsx';
import { Preview } from './preview.tsx';

const FormFields = lazy(async () => (await import('../words/form-fields.tsx')).FormFields);
const LanguageFields = lazy(async () => (await import('../words/language-fields.tsx')).LanguageFields);

interface AgentFormProps {
  readonly draft: DraftView;
  readonly keys: readonly KeyView[] | null;
  readonly onSaved: (draft: DraftView) => void;
  readonly reload: () => Promise<void>;
}

/** What the draft says of an agent, and the widget that speaks to the draft. */
export function AgentForm({ draft, keys, onSaved, reload }: AgentFormProps) {
  const { agent, changedAt, live } = draft;
  const before = { ...entriesOf(agent), ...conductOf(agent) };
  const form = useForm({
    name: `agent ${agent.id}`,
    initial: before,
    secret: ['apiKey'],
    fieldOf: (path) => conductField(path) ?? entryField(path),
  });
  const isChanged = Object.keys(form.entries).length > 0;
  const { provider, baseUrl, resourceName, region } = before;
  useEffect(() => {
    // A key goes to no other place than the one that it was typed for, should somebody else have changed that.
    if (form.entries.apiKey !== undefined) form.set('apiKey', '');
  }, [provider, baseUrl, resourceName, region]);
  const save = async (event: Event) => {
    event.preventDefault();
    await form.submit(
      (values) => ({ ...entryProblems(values), ...conductProblems(values) }),
      async (values) => {
        const patch = draftPatchOf(values, before, agent.model);
        const asked = call<DraftView>('PATCH', `/agents/${agent.id}/draft`, { ...patch, changedAt });
        onSaved(await orReload(asked, reload));
        form.reset();
        announce('Saved in the draft. Visitors have it once you publish.');
      },
    );
  };
  const { name, accent, theme } = form.values;
  const sections = [
    { name: 'Who it is', view: <PersonaFields form={form} /> },
    {
      name: 'Model',
      view: (
        <ModelFields form={form} stored={agent.model}>
          {isAtLeast('admin') && <ModelTrial form={form} agent={agent} />}
        </ModelFields>
      ),
    },
    { name: 'Answers', view: <AnswerFields form={form} /> },
    {
      name: 'Greeting',
      view: (
        <GreetingFields form={form}>
          <Field
            label="Teaser"
            hint="A line beside the launcher before anybody has opened it, on pages that say none of their own. Empty: none."
            error={form.errors['teaser']}
          >
            <input type="text" maxLength={200} autoComplete="off" {...form.control('teaser')} />
          </Field>
        </GreetingFields>
      ),
    },
    { name: 'Consent', view: <BeforeFields form={form} /> },
    { name: 'Form', view: <FormFields form={form} /> },
    { name: 'Languages', view: <LanguageFields form={form} agentId={agent.id} /> },
    { name: 'Look', view: <LookFields form={form} /> },
    { name: 'Files', view: <FileFields form={form} /> },
    { name: 'Budget and limits', view: <LimitFields form={form} agent={agent} /> },
    { name: 'Retention', view: <KeepingFields form={form} /> },
  ];
  return (
    <div class="beside">
      <form class="agent-form" ref={form.form} noValidate onSubmit={(event) => void save(event)}>
        <Sections label="Sections of the form" sections={sections} problem={form.problem} />
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
