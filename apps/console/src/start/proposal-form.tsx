import type { AgentView } from '@parley/protocol/settings/agent';
import type { KeyView } from '@parley/protocol/settings/key';
import type { ComponentChildren } from 'preact';
import { entriesOf, entryField, entryProblems, patchOf } from '../agent/agent-entries.ts';
import { GreetingFields, LookFields, PersonaFields } from '../agent/agent-fields.tsx';
import { Preview } from '../agent/preview.tsx';
import { call } from '../api/call.ts';
import { go } from '../router.ts';
import { announce } from '../ui/announcement.tsx';
import { countOf } from '../ui/count-of.ts';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';
import { originsOf } from './address-of.ts';
import { safeLimits } from './begin.ts';
import { isAnotherModel, modelProblems } from './model-entries.ts';
import { WriterFields } from './writer-fields.tsx';
import { requireModel } from './require-model.ts';

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
  const stored = entriesOf(agent);
  const form = useForm({
    name: `proposal ${agent.id}`,
    initial: stored,
    secret: ['apiKey'],
    fieldOf: entryField,
  });
  const isChanged = Object.keys(form.entries).length > 0;
  const save = async () => {
    const saved = await form.submit(
      (values) => ({ ...entryProblems(values), ...modelProblems(values) }),
      async (values) => {
        const patch = patchOf({ ...values, apiKey: values.apiKey.trim() }, agent.model);
        if (patch.model && isAnotherModel(values, stored)) await requireModel(agent.id, patch.model);
        onSaved(await call<AgentView>('PATCH', `/agents/${agent.id}`, { ...patch, active: true }));
        form.reset();
      },
    );
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
        <WriterFields form={form} agent={agent} />
        <div class="actions sticky">
          <p class="hint" role="status">
            {address === null
              ? 'Published, it answers wherever you add it.'
              : `Published, it answers on ${originsOf(address)
                  .map((origin) => new URL(origin).host)
                  .join(
                    ' and ',
                  )} only, for up to ${countOf(safeLimits.sessionsPerKeyPerDay, 'conversation')} a day.`}
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
