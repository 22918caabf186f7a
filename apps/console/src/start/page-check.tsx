import type { PageCheck as Check } from '@parley/protocol/settings/website';
import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { Code } from '../ui/code.tsx';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';
import { addressOf } from './address-of.ts';

interface PageCheckProps {
  readonly agentId: string;
  /** A page that the agent is to be on. */
  readonly suggested: string;
}

/** Has a page opened by the service, and says what keeps the chat from it. */
export function PageCheck({ agentId, suggested }: PageCheckProps) {
  const [check, setCheck] = useState<Check | null>(null);
  const { form, errors, problem, busy, submit, control } = useForm({
    name: `check ${agentId}`,
    initial: { url: suggested },
  });
  const run = async (event: Event) => {
    event.preventDefault();
    setCheck(null);
    await submit(
      ({ url }) =>
        addressOf(url) === null ? { url: 'Enter an address such as www.example.com/contact.' } : {},
      async ({ url }) =>
        setCheck(await call<Check>('POST', `/agents/${agentId}/page-check`, { url: addressOf(url) })),
    );
  };
  return (
    <>
      <form class="inline" ref={form} noValidate onSubmit={(event) => void run(event)}>
        {problem && <Problem>{problem}</Problem>}
        <Field label="A page of yours" error={errors['url']}>
          <input type="text" inputMode="url" autoComplete="off" maxLength={2_000} {...control('url')} />
        </Field>
        <button type="submit" class="button" disabled={busy}>
          {busy ? 'Looking…' : 'Check my page'}
        </button>
      </form>
      <div role="status" class="stack">
        {check?.findings.map(({ sentence, line }) => (
          <div key={sentence} class={check.ok ? 'notice good' : 'notice'}>
            <p>{sentence}</p>
            {line !== null && <Code label="What mends it" text={line} />}
          </div>
        ))}
      </div>
    </>
  );
}
