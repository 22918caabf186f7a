import type { AgentView } from '@parley/protocol/settings/agent';
import type { KeyView } from '@parley/protocol/settings/key';
import type { ComponentChildren } from 'preact';
import { entriesOf, entryField, entryProblems, patchOf } from '../agent/agent-entries.ts';
import { GreetingFields, LookFields, PersonaFields } from '../agent/agent-fields.tsx';
import { Preview } from '../agent/preview.tsx';
import { call } from '../api/call.ts';
import { go } from '../router.ts';
import { announce } from '../ui/announcement.tsx';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';
import { originsOf } from './address-of.ts';
import { modelOfKey, withModelOfKey } from './model-of-key.ts';
import { requireKey } from './require-key.ts';

interface ProposalFormProps {
  readonly agent: AgentView;
  readonly publishable: KeyView | null;
  /** Of the website whose pages may use the key; null: they are added later. */
  readonly address: string | null;
  readonly onSaved: (agent: AgentView) => void;
  readonly children: ComponentChildren;
}

/** What is proposed, to be changed, tried and published. */
export function ProposalForm({ agent, publishable, address, onSaved, children }: ProposalFormProps) {
  const form = useForm({
    name: `proposal ${agent.id}`,
    initial: entriesOf(agent),
    secret: ['apiKey'],
    fieldOf: entryField,
  });
  const isChanged = Object.keys(form.entries).length > 0;
  const known = modelOfKey(form.values.apiKey);
  const check = (entries: typeof form.values) => ({
    ...entryProblems(withModelOfKey(entries)),
    ...(entries.apiKey.trim() !== '' &&
      modelOfKey(entries.apiKey) === null && {
        apiKey:
          'Keys of OpenAI, Anthropic and Google are known by how they begin. Another provider is chosen under Agent.',
      }),
  });
  const save = async () => {
    const saved = await form.submit(check, async (values) => {
      const patch = patchOf(withModelOfKey(values), agent.model);
      if (values.apiKey.trim() !== '' && patch.model) await requireKey(agent.id, patch.model);
      onSaved(await call<AgentView>('PATCH', `/agents/${agent.id}`, { ...patch, active: true }));
      form.reset();
    });
    return saved;
  };
  const publish = async (event: Event) => {
    event.preventDefault();
    if (!(await save())) return;
    const published = await form.submit(
      () => ({}),
      async () => {
        if (publishable === null || address === null) return;
        const allowedOrigins = [...new Set([...publishable.allowedOrigins, ...originsOf(address)])];
        await call('PATCH', `/keys/${publishable.id}`, { allowedOrigins });
      },
    );
    if (!published) return;
    announce('Published. One step is left: the code for your pages.');
    go('agents', agent.id, 'website');
  };
  const { name, accent, theme } = form.values;
  return (
    <div class="beside">
      <form ref={form.form} noValidate onSubmit={(event) => void publish(event)}>
        {form.problem && <Problem>{form.problem}</Problem>}
        {children}
        <PersonaFields form={form} />
        <GreetingFields form={form} />
        <LookFields form={form} />
        <fieldset class="card">
          <legend>Who writes the answers</legend>
          <p class="lead">
            {agent.model.provider === 'quoting'
              ? 'Without a key it quotes your pages, word for word and with their addresses. A model answers in its own words.'
              : `Answers are written by ${agent.model.model}.`}
          </p>
          <Field
            label="Key of a model’s provider (optional)"
            hint={
              known
                ? `A key of ${known.name}: answers are written by ${known.model}, once one small call has shown that it works. Another model is chosen under Agent.`
                : 'Of OpenAI, Anthropic or Google. Stored encrypted, and never shown again.'
            }
            error={form.errors['apiKey'] ?? form.errors['model']}
          >
            <input type="password" autoComplete="off" spellcheck={false} {...form.control('apiKey')} />
          </Field>
        </fieldset>
        <div class="actions sticky">
          <p class="hint" role="status">
            {address === null
              ? 'Published, it answers wherever you add it.'
              : `Published, it answers on ${originsOf(address)
                  .map((origin) => new URL(origin).host)
                  .join(' and ')} only, for up to 2,000 conversations a day.`}
          </p>
          <button type="button" class="button" disabled={form.busy || !isChanged} onClick={() => void save()}>
            Save and try
          </button>
          <button type="submit" class="button primary" disabled={form.busy}>
            Publish
          </button>
        </div>
      </form>
      <Preview
        agentId={agent.id}
        keys={publishable && [publishable]}
        revision={revisionOf(agent)}
        name={name}
        accent={accent}
        theme={theme}
      />
    </div>
  );
}

/** Tells apart what the widget reads only when it begins. */
const revisionOf = ({ widget, model }: AgentView): string =>
  JSON.stringify([widget.greeting, widget.prompts, model.provider, model.model]);
