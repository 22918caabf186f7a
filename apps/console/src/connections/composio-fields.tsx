import { Field } from '../ui/field.tsx';

export const composioEntries = {
  url: 'https://backend.composio.dev',
  toolkit: '',
  name: '',
  signIn: 'agent',
  authConfigId: '',
  apiKey: '',
};

type Entry = keyof typeof composioEntries;

const ways = {
  agent: 'One that a member connects',
  visitor: 'Each visitor’s, connected in the chat',
  none: 'None: the toolkit needs no account',
} as const;

interface ComposioFieldsProps {
  readonly errors: Readonly<Partial<Record<Entry, string>>>;
  readonly signIn: string;
  readonly keyHint: string;
  readonly control: (name: Entry) => object;
}

/** What there is to say of a toolkit of Composio. */
export const ComposioFields = ({ errors, signIn, keyHint, control }: ComposioFieldsProps) => (
  <>
    <Field label="Toolkit" hint="Its slug at Composio, such as gmail or hubspot." error={errors['toolkit']}>
      <input type="text" maxLength={64} autoComplete="off" spellcheck={false} {...control('toolkit')} />
    </Field>
    <Field label="API key" hint={keyHint} error={errors['apiKey']}>
      <input type="password" maxLength={1_000} autoComplete="off" {...control('apiKey')} />
    </Field>
    <Field
      label="Whose account"
      hint="Composio keeps what signs in; no password comes here."
      error={errors['signIn']}
    >
      <select {...control('signIn')}>
        {Object.entries(ways).map(([way, said]) => (
          <option key={way} value={way}>
            {said}
          </option>
        ))}
      </select>
    </Field>
    {signIn !== 'none' && (
      <Field
        label="Auth config"
        hint="The id of the toolkit’s auth config in your project there, such as ac_…"
        error={errors['authConfigId']}
      >
        <input
          type="text"
          maxLength={100}
          autoComplete="off"
          spellcheck={false}
          {...control('authConfigId')}
        />
      </Field>
    )}
    <Field
      label="Name"
      hint="Stands before the names of its tools: small letters, digits and -."
      error={errors['name']}
    >
      <input type="text" maxLength={24} autoComplete="off" spellcheck={false} {...control('name')} />
    </Field>
    <Field label="Address" hint="Of Composio, or of your own installation of it." error={errors['url']}>
      <input type="url" maxLength={2_000} autoComplete="off" spellcheck={false} {...control('url')} />
    </Field>
  </>
);
