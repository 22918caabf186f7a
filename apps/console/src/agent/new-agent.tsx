import type { AgentView } from '@parley/protocol/settings/agent';
import { call } from '../api/call.ts';
import { isAtLeast, loadTenants, tenant } from '../api/member.ts';
import { go, linkTo } from '../router.ts';
import { announce } from '../ui/announcement.tsx';
import { Field } from '../ui/field.tsx';
import { Failed } from '../ui/failed.tsx';
import { Problem } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { useForm } from '../ui/use-form.ts';
import { emptyEntries, entryField, entryProblems, patchOf } from './agent-entries.ts';
import { ModelFields, PersonaFields } from './agent-fields.tsx';

export function NewAgent() {
  const of = tenant.value;
  const form = useForm({
    name: 'new agent',
    initial: { ...emptyEntries, organisation: '' },
    secret: ['apiKey'],
    fieldOf: entryField,
  });
  const create = async (event: Event) => {
    event.preventDefault();
    await form.submit(
      (values) => ({
        ...entryProblems(values),
        ...(of === null &&
          values.organisation.trim() === '' && { organisation: 'Enter the name of your organisation.' }),
      }),
      async ({ organisation, ...values }) => {
        const tenantId =
          of?.id ?? (await call<{ id: string }>('POST', '/tenants', { name: organisation.trim() })).id;
        if (of === null) await loadTenants();
        const agent = await call<AgentView>('POST', '/agents', { tenantId, ...patchOf(values, null) });
        form.reset();
        announce(`${agent.name} is here. Try it beside the form.`);
        try {
          const bound = { tenantId, agentId: agent.id, kind: 'publishable', label: 'Website' };
          await call('POST', '/keys', { ...bound, allowMissingOrigin: false });
        } finally {
          // Without a key its screen says so, and where one is made.
          go('agents', agent.id);
        }
      },
    );
  };
  if (!isAtLeast('admin'))
    return (
      <Failed trail={[{ name: 'Agents', href: linkTo('agents') }]}>
        Your role does not include this. An owner can change it.
      </Failed>
    );
  return (
    <Page
      title="New agent"
      trail={[{ name: 'Agents', href: linkTo('agents') }]}
      lead="Everything can be changed later. The next screen has the widget beside it."
    >
      <form class="narrow" ref={form.form} noValidate onSubmit={(event) => void create(event)}>
        {form.problem && <Problem>{form.problem}</Problem>}
        {of === null && (
          <fieldset class="card">
            <legend>Where it works</legend>
            <Field
              label="Organisation"
              hint="Agents, keys and members belong to it."
              error={form.errors['organisation']}
            >
              <input
                type="text"
                maxLength={200}
                autoComplete="organization"
                {...form.control('organisation')}
              />
            </Field>
          </fieldset>
        )}
        <PersonaFields form={form} />
        <ModelFields form={form} />
        <div class="actions">
          <a class="button" href={linkTo('agents')}>
            Cancel
          </a>
          <button type="submit" class="button primary" disabled={form.busy}>
            Create agent
          </button>
        </div>
      </form>
    </Page>
  );
}
