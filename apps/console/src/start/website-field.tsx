import type { AgentProposal } from '@parley/protocol/settings/website';
import { useRef, useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { go } from '../router.ts';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';
import { begin, type Begun } from './begin.ts';
import { addressOf } from './address-of.ts';

/** One field: a website's address becomes an agent that answers from it. */
export function WebsiteField() {
  const { form, values, errors, problem, busy, submit, reset, control } = useForm({
    name: 'website',
    initial: { url: '' },
  });
  const [unread, setUnread] = useState<AgentProposal | null>(null);
  const begun = useRef<Begun>({});
  const isUnread = unread !== null && addressOf(values.url) === unread.address;
  const start = async (event: Event) => {
    event.preventDefault();
    await submit(
      ({ url }) => (addressOf(url) === null ? { url: 'Enter an address such as www.example.com.' } : {}),
      async ({ url }) => {
        const address = addressOf(url) ?? '';
        const proposal = isUnread
          ? unread
          : await call<AgentProposal>('POST', '/websites/propose', { url: address });
        // Whoever goes on regardless is not asked twice.
        if (proposal.problem !== null && !isUnread) return setUnread({ ...proposal, address });
        const { id } = await begin(proposal, begun.current);
        reset();
        go('start', id);
      },
    );
  };
  return (
    <form class="website-field" ref={form} noValidate onSubmit={(event) => void start(event)}>
      {problem && <Problem>{problem}</Problem>}
      <Field label="Your website" error={errors['url']}>
        <input
          type="url"
          autoComplete="url"
          maxLength={2_000}
          placeholder="www.example.com"
          spellcheck={false}
          {...control('url')}
        />
      </Field>
      {isUnread && (
        <p class="notice problem" role="alert">
          The website could not be read. {unread.problem} You can go on, and give the agent other things to
          read.
        </p>
      )}
      <button type="submit" class="button primary" disabled={busy}>
        {busy ? 'Reading…' : isUnread ? 'Go on without it' : 'Read it'}
      </button>
    </form>
  );
}
