import type { MailView } from '@parley/protocol/settings/mail-connection';
import { call } from '../api/call.ts';
import { announce } from '../ui/announcement.tsx';
import { Problem } from '../ui/notice.tsx';
import { SavedForm } from '../ui/saved-form.tsx';
import { useForm } from '../ui/use-form.ts';
import { connectTimeoutMs } from './connect-timeout-ms.ts';
import { mailChanges, mailEntries, mailField, mailProblems } from './mail-entries.ts';
import { MailFields } from './mail-fields.tsx';

interface MailFormProps {
  readonly mail: MailView;
  readonly onSaved: (mail: MailView) => void;
}

/** A mail server that an agent sends by. */
export function MailForm({ mail, onSaved }: MailFormProps) {
  const initial = mailEntries(mail);
  const form = useForm({
    name: `mail ${mail.id}`,
    initial,
    secret: ['password'],
    fieldOf: mailField,
  });
  const save = () =>
    form.submit(mailProblems, async (values) => {
      const saved = await call<MailView>(
        'PATCH',
        `/connections/${mail.id}`,
        mailChanges(initial, values),
        AbortSignal.timeout(connectTimeoutMs),
      );
      form.reset();
      onSaved(saved);
      announce('Saved. The agent has it from its next turn on.');
    });
  return (
    <>
      {mail.status === 'failed' && (
        <Problem isState>{mail.problem ?? 'The mail server was not reached yet.'}</Problem>
      )}
      {mail.status === 'connected' && <p class="notice">The mail server lets the agent in.</p>}
      <SavedForm class="connection-form" form={form} onSave={save}>
        <MailFields
          values={form.values}
          errors={form.errors}
          control={form.control}
          set={form.set}
          passwordHint={
            mail.password
              ? 'One is set. Enter another to replace it; at another server it has to be entered again.'
              : 'None is set.'
          }
        />
      </SavedForm>
    </>
  );
}
