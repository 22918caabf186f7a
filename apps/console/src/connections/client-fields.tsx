import { Field } from '../ui/field.tsx';

type ClientField = 'clientId' | 'clientIssuer' | 'clientSecret';

interface ClientFieldsProps {
  readonly errors: Readonly<Partial<Record<ClientField, string>>>;
  readonly secretHint: string;
  readonly control: (name: ClientField) => object;
}

/** Whom an authorization server knows this service as, where it has to be registered there by hand. */
export const ClientFields = ({ errors, secretHint, control }: ClientFieldsProps) => (
  <>
    <Field
      label="Client ID"
      hint="Only for services that you have to register with by hand. Otherwise leave it empty."
      error={errors['clientId']}
    >
      <input type="text" maxLength={1_000} autoComplete="off" spellcheck={false} {...control('clientId')} />
    </Field>
    <Field
      label="Issuer"
      hint="The address of the authorization server that gave you the client ID, as it writes it itself. No other is shown the secret."
      error={errors['clientIssuer']}
    >
      <input
        type="url"
        maxLength={2_000}
        autoComplete="off"
        spellcheck={false}
        {...control('clientIssuer')}
      />
    </Field>
    <Field label="Client secret" hint={secretHint} error={errors['clientSecret']}>
      <input type="password" maxLength={1_000} autoComplete="off" {...control('clientSecret')} />
    </Field>
  </>
);
