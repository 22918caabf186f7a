import type { ModelView } from '@parley/protocol/settings/model';
import type { ComponentChildren } from 'preact';
import { Field } from '../ui/field.tsx';
import type { FormFields } from '../ui/use-form.ts';
import type { AgentEntries } from './agent-entries.ts';
import { isBuiltIn, providers } from './providers.ts';

interface FieldsProps {
  readonly form: Pick<FormFields<AgentEntries>, 'errors' | 'values'> & {
    readonly control: (field: keyof AgentEntries) => ReturnType<FormFields<AgentEntries>['control']>;
  };
  /** As it is stored; null for a new agent. */
  readonly stored?: ModelView | null;
  /** Where what is entered is tried. */
  readonly children?: ComponentChildren;
}

export const PersonaFields = ({ form: { control, errors } }: FieldsProps) => (
  <fieldset class="card">
    <legend>Who it is</legend>
    <Field label="Name" hint="Visitors see it." error={errors['name']}>
      <input type="text" maxLength={80} autoComplete="off" required {...control('name')} />
    </Field>
    <Field
      label="Instructions"
      hint="What it helps with, how it speaks, and what it must not do. Visitors do not see them."
      error={errors['instructions']}
    >
      <textarea rows={6} maxLength={100_000} {...control('instructions')} />
    </Field>
  </fieldset>
);

export function ModelFields({ form: { control, errors, values }, stored = null, children }: FieldsProps) {
  const provider = providers.find(({ id }) => id === values.provider);
  const needs = provider?.needs ?? [];
  const key = stored?.provider === values.provider && 'apiKey' in stored ? stored.apiKey : undefined;
  return (
    <fieldset class="card">
      <legend>Model</legend>
      <Field label="Provider" error={errors['provider']}>
        <select {...control('provider')}>
          {providers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      {!isBuiltIn(values.provider) && (
        <Field label="Model" hint={`For example ${provider?.example ?? ''}.`} error={errors['model']}>
          <input type="text" autoComplete="off" spellcheck={false} {...control('model')} />
        </Field>
      )}
      {needs.includes('baseUrl') && (
        <Field label="Address" error={errors['baseUrl']}>
          <input
            type="url"
            autoComplete="off"
            placeholder="https://models.example.com/v1"
            {...control('baseUrl')}
          />
        </Field>
      )}
      {needs.includes('resourceName') && (
        <Field label="Resource" error={errors['resourceName']}>
          <input type="text" autoComplete="off" {...control('resourceName')} />
        </Field>
      )}
      {needs.includes('region') && (
        <Field label="Region" error={errors['region']}>
          <input type="text" autoComplete="off" placeholder="eu-central-1" {...control('region')} />
        </Field>
      )}
      {needs.includes('apiKey') && (
        <Field
          label="API key"
          hint={
            key
              ? `One ending in ${key.last4 || '…'} is stored. Leave this empty to keep it.`
              : 'Stored encrypted, and never shown again. Empty: the key of the service’s operator, if there is one.'
          }
          error={errors['apiKey']}
        >
          <input type="password" autoComplete="off" spellcheck={false} {...control('apiKey')} />
        </Field>
      )}
      {children}
    </fieldset>
  );
}

export const GreetingFields = ({ form: { control, errors }, children }: FieldsProps) => (
  <fieldset class="card">
    <legend>How it greets</legend>
    <Field label="Greeting" error={errors['greeting']}>
      <input type="text" maxLength={500} autoComplete="off" {...control('greeting')} />
    </Field>
    <Field
      label="Prompts"
      hint="Up to four, one a line: what visitors can ask with a click."
      error={errors['prompts']}
    >
      <textarea rows={3} {...control('prompts')} />
    </Field>
    {children}
  </fieldset>
);

interface LookProps {
  readonly form: {
    readonly errors: Readonly<Record<string, string>>;
    readonly values: Pick<AgentEntries, 'accent'>;
    readonly control: (
      field: 'accent' | 'theme' | 'position',
    ) => ReturnType<FormFields<AgentEntries>['control']>;
  };
  readonly children?: ComponentChildren;
}

export const LookFields = ({ form: { control, errors, values }, children }: LookProps) => (
  <fieldset class="card">
    <legend>How it looks</legend>
    <div class="columns">
      <Field label="Accent" error={errors['accent']}>
        <input type="text" maxLength={7} spellcheck={false} autoComplete="off" {...control('accent')} />
      </Field>
      <Field label="Pick a colour">
        <input type="color" {...control('accent')} value={values.accent} />
      </Field>
    </div>
    <div class="columns">
      <Field label="Theme" error={errors['theme']}>
        <select {...control('theme')}>
          <option value="auto">As the visitor’s device</option>
          <option value="light">Light</option>
          <option value="dark">Dark</option>
        </select>
      </Field>
      <Field label="Launcher" error={errors['position']}>
        <select {...control('position')}>
          <option value="end">Bottom right</option>
          <option value="start">Bottom left</option>
        </select>
      </Field>
    </div>
    {children}
  </fieldset>
);
