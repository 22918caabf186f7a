import type { AgentView } from '@parley/protocol/settings/agent';
import type { KeyKind, KeyView } from '@parley/protocol/settings/key';
import { call } from '../api/call.ts';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';

interface NewKeyProps {
  readonly kind: KeyKind;
  readonly tenantId: string;
  readonly agents: readonly AgentView[];
  readonly onMade: (key: KeyView) => Promise<void>;
}

export function NewKey({ kind, tenantId, agents, onMade }: NewKeyProps) {
  const { form, errors, problem, busy, submit, control, reset } = useForm({
    name: `new ${kind} key of ${tenantId}`,
    initial: { label: '', agentId: agents[0]?.id ?? '' },
  });
  const create = async (event: Event) => {
    event.preventDefault();
    await submit(
      ({ agentId }) => (agentId === '' ? { agentId: 'Create an agent first: a key is bound to one.' } : {}),
      async ({ label, agentId }) => {
        const ofBrowsers = kind === 'publishable' && { allowMissingOrigin: false };
        const made = await call<KeyView>('POST', '/keys', {
          tenantId,
          agentId,
          kind,
          label: label.trim() || null,
          ...ofBrowsers,
        });
        reset();
        await onMade(made);
      },
    );
  };
  return (
    <form class="inline" ref={form} noValidate onSubmit={(event) => void create(event)}>
      {problem && <Problem>{problem}</Problem>}
      <Field label="Agent" error={errors['agentId']}>
        <select {...control('agentId')}>
          {agents.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <Field label="What it is for" error={errors['label']}>
        <input type="text" maxLength={200} autoComplete="off" {...control('label')} />
      </Field>
      <button type="submit" class="button" disabled={busy}>
        {kind === 'secret' ? 'Create secret key' : 'Create publishable key'}
      </button>
    </form>
  );
}
