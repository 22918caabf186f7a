import { isCredentialName, isQueryCredentialName } from '@parley/protocol/settings/credential-name';
import { Field } from '../ui/field.tsx';
import { liftSecrets, secretNames } from './body-secrets.ts';
import { parseJson, printJson } from './json.ts';
import { Rows } from './rows.tsx';
import { SecretField } from './secret-field.tsx';
import {
  hasBody,
  type HeaderRow,
  headerRows,
  ofBody,
  type QueryRow,
  queryRows,
  secretsOf,
  type StoredTool,
  withMethod,
} from './tool-entries.ts';
import type { ToolFields } from './tool-fields.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'];

interface RequestFieldsProps extends ToolFields {
  readonly before: StoredTool | null;
}

/** What is sent: `{{parameters}}` stand where the agent fills something in. */
export function RequestFields({ form, before }: RequestFieldsProps) {
  const { control, errors, values, change } = form;
  return (
    <fieldset class="card">
      <legend>The request</legend>
      <p class="hint">
        Write <code>{'{{name}}'}</code> where the agent fills something in, and{' '}
        <code>{'{{visitor.id}}'}</code> for the visitor who is signed in.
      </p>
      <div class="tool-address">
        <Field label="Method" error={errors['method']}>
          <select
            {...control('method')}
            onInput={({ currentTarget: { value } }) => change(withMethod(values, value))}
          >
            {methods.map((method) => (
              <option key={method}>{method}</option>
            ))}
          </select>
        </Field>
        <Field label="Address" error={errors['url']}>
          <input
            type="text"
            inputMode="url"
            autoComplete="off"
            spellcheck={false}
            maxLength={2_000}
            placeholder="https://api.example.com/orders/{{order}}"
            {...control('url')}
          />
        </Field>
      </div>
      <QueryFields form={form} before={before} />
      <HeaderFields form={form} before={before} />
      {hasBody(values) && <BodyFields form={form} before={before} />}
    </fieldset>
  );
}

function QueryFields({ form, before }: RequestFieldsProps) {
  return (
    <Rows<QueryRow>
      title="Query"
      thing="query parameter"
      rows={queryRows(form.values)}
      empty={{ name: '', value: '', secret: false }}
      error={form.errors['query']}
      onChange={(rows) => form.set('query', JSON.stringify(rows))}
    >
      {(row, change) => (
        <>
          <Field label="Name">
            <input
              type="text"
              autoComplete="off"
              spellcheck={false}
              maxLength={200}
              value={row.name}
              onInput={({ currentTarget: { value: name } }) =>
                change({ name, secret: row.secret || (isQueryCredentialName(name) && row.value === '') })
              }
            />
          </Field>
          {row.secret ? (
            <SecretField form={form} before={before} of={row.id} label="Secret value" />
          ) : (
            <Field label="Value">
              <input
                type="text"
                autoComplete="off"
                spellcheck={false}
                maxLength={2_000}
                value={row.value}
                onInput={({ currentTarget }) => change({ value: currentTarget.value })}
              />
            </Field>
          )}
          <label class="tool-check">
            <input
              type="checkbox"
              checked={row.secret}
              onChange={({ currentTarget }) => change({ secret: currentTarget.checked, value: '' })}
            />
            Secret
          </label>
        </>
      )}
    </Rows>
  );
}

function HeaderFields({ form, before }: RequestFieldsProps) {
  return (
    <Rows<HeaderRow>
      title="Headers"
      hint="Their values are stored encrypted, and never shown again."
      thing="header"
      rows={headerRows(form.values)}
      empty={{ name: '' }}
      error={form.errors['headers']}
      onChange={(rows) => form.set('headers', JSON.stringify(rows))}
    >
      {(row, change) => (
        <>
          <Field label="Name">
            <input
              type="text"
              autoComplete="off"
              spellcheck={false}
              maxLength={100}
              value={row.name}
              onInput={({ currentTarget }) => change({ name: currentTarget.value })}
            />
          </Field>
          <SecretField
            form={form}
            before={before}
            of={row.id}
            label="Value"
            plain={!isCredentialName(row.name)}
          />
        </>
      )}
    </Rows>
  );
}

function BodyFields({ form, before }: RequestFieldsProps) {
  const { control, errors, values, change } = form;
  const body = parseJson(values.body);
  /** A password that somebody typed among the rest goes where it is not shown. */
  const lift = () => {
    if (body === undefined) return;
    const secrets = secretsOf(values);
    const lifted = liftSecrets(body, Object.fromEntries(secretNames(body).map((name) => [name, true])));
    const entered = Object.entries(lifted.values).map(([name, value]) => [ofBody(name), value]);
    if (entered.length > 0)
      change({
        body: printJson(lifted.body),
        secrets: JSON.stringify({ ...secrets, ...Object.fromEntries(entered) }),
      });
  };
  return (
    <>
      <Field
        label="Body"
        hint={'JSON. A secret in it is {"$secret": "its name"}, and is entered below.'}
        error={errors['body']}
      >
        <textarea
          class="tool-code"
          rows={4}
          spellcheck={false}
          placeholder={'{ "order": "{{order}}" }'}
          {...control('body')}
          onBlur={lift}
        />
      </Field>
      {body !== undefined &&
        secretNames(body).map((name) => (
          <SecretField key={name} form={form} before={before} of={ofBody(name)} label={`Secret ${name}`} />
        ))}
    </>
  );
}
