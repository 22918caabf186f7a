import type { AgentPatch, AgentView } from '@parley/protocol/settings/agent';
import { isAtLeast } from '../api/member.ts';
import { Field } from '../ui/field.tsx';
import { Further } from '../ui/further.tsx';
import { useForm } from '../ui/use-form.ts';

interface KeyPairProps {
  readonly agent: AgentView;
  readonly onSave: (identity: NonNullable<AgentPatch['identity']>, said: string) => Promise<boolean>;
}

/** For those who sign with a private key, and those who keep what tools are told apart. */
export function KeyPair({ agent, onSave }: KeyPairProps) {
  const { publicKey = '', toolSecret } = agent.identity;
  const form = useForm({
    name: `identity ${agent.id}`,
    initial: { publicKey, toolSecret: '' },
    secret: ['toolSecret'],
  });
  const isChanged = Object.keys(form.entries).length > 0;
  const save = async () => {
    await form.submit(
      ({ toolSecret: entered }) =>
        entered !== '' && entered.length < 32 ? { toolSecret: 'Enter at least 32 characters.' } : {},
      async (values) => {
        const patch = {
          ...(values.publicKey !== publicKey && { publicKey: values.publicKey.trim() || null }),
          ...(values.toolSecret !== '' && { toolSecret: values.toolSecret }),
        };
        if (await onSave(patch, 'Saved. It applies from now on.')) form.reset();
      },
    );
  };
  return (
    <Further summary="A key pair instead, or another secret for tools" hasErrors={false}>
      <Field
        label="Public key"
        hint="In PEM, on the curve P-256: tokens are signed with ES256 and the private half, which stays with you."
        error={form.errors['publicKey']}
      >
        <textarea
          rows={4}
          spellcheck={false}
          readOnly={!isAtLeast('admin')}
          placeholder="-----BEGIN PUBLIC KEY-----"
          {...form.control('publicKey')}
        />
      </Field>
      <Field
        label="Secret for tools"
        hint={
          toolSecret
            ? `One ending in ${toolSecret.last4 || '…'} is set. Leave this empty to keep it.`
            : 'Signs the header that tells your tools for whom they are called. Empty: the secret above.'
        }
        error={form.errors['toolSecret']}
      >
        <input
          type="password"
          autoComplete="off"
          readOnly={!isAtLeast('admin')}
          {...form.control('toolSecret')}
        />
      </Field>
      {isAtLeast('admin') && (
        <button type="button" class="button" disabled={form.busy || !isChanged} onClick={() => void save()}>
          Save
        </button>
      )}
    </Further>
  );
}
