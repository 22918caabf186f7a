import { Check } from '../ui/check.tsx';
import { Field } from '../ui/field.tsx';
import type { FormFields } from '../ui/use-form.ts';
import { CallLimit } from './call-limit.tsx';
import type { MailEntries } from './mail-entries.ts';

interface MailFieldsProps extends FormFields<MailEntries> {
  readonly passwordHint: string;
  readonly set: (field: keyof MailEntries & string, value: string) => void;
}

/** Where mail leaves by, in whose name, and to whom. */
export function MailFields({ control, errors, passwordHint, set, values }: MailFieldsProps) {
  return (
    <>
      <Field label="Mail server" hint="Your own SMTP server." error={errors['host']}>
        <input type="text" maxLength={253} autoComplete="off" spellcheck={false} {...control('host')} />
      </Field>
      <Field label="Port" error={errors['port']}>
        <input type="text" inputMode="numeric" maxLength={5} autoComplete="off" {...control('port')} />
      </Field>
      <Field label="Encryption" error={errors['security']}>
        <select {...control('security')}>
          <option value="starttls">STARTTLS, usually at 587</option>
          <option value="tls">TLS, usually at 465</option>
          <option value="none">None, without a password</option>
        </select>
      </Field>
      <Field label="User" hint="Leave it empty if nobody has to sign in." error={errors['user']}>
        <input type="text" maxLength={254} autoComplete="off" spellcheck={false} {...control('user')} />
      </Field>
      <Field label="Password" hint={passwordHint} error={errors['password']}>
        <input type="password" maxLength={1_000} autoComplete="off" {...control('password')} />
      </Field>
      <Field label="Mail comes from" error={errors['from']}>
        <input type="email" maxLength={254} autoComplete="off" {...control('from')} />
      </Field>
      <Field label="Name beside that address" error={errors['fromName']}>
        <input type="text" maxLength={100} autoComplete="off" {...control('fromName')} />
      </Field>
      <Field
        label="Who may be written to"
        hint="Addresses, or @example.com for all of a domain. With * invitations to appointments go to whatever address a visitor gives, and other mail to verified visitors alone."
        error={errors['recipients']}
      >
        <textarea rows={3} maxLength={20_000} spellcheck={false} {...control('recipients')} />
      </Field>
      <Field label="Before anything is sent" error={errors['approval']}>
        <select {...control('approval')}>
          <option value="always">Show it to the visitor and ask</option>
          <option value="once">Ask the visitor once</option>
          <option value="never">Send it at once</option>
        </select>
      </Field>
      <Field
        label="Name"
        hint="Stands before the name of its tool: small letters, digits and -."
        error={errors['name']}
      >
        <input type="text" maxLength={24} autoComplete="off" spellcheck={false} {...control('name')} />
      </Field>
      <CallLimit error={errors['callsPerMinute']} control={control('callsPerMinute')} />
      <Check
        label="Invitations and notices leave by it"
        hint="Invitations to appointments, requests for approval, and that an answer is ready. Where no connection of the agent has this, they leave by its first one for mail."
        error={errors['notices']}
        checked={values.notices !== ''}
        onChange={(on) => set('notices', on ? 'yes' : '')}
      />
    </>
  );
}
