import type { AgentView } from '@parley/protocol/settings/agent';
import { type AgentEntries, entriesOf } from '../agent/agent-entries.ts';
import { isBuiltIn, providerName } from '../agent/providers.ts';
import { Field } from '../ui/field.tsx';
import type { useForm } from '../ui/use-form.ts';
import { providerChoices, providerOfKey, withKey, withProvider, writerSentence } from './model-entries.ts';

interface WriterFieldsProps {
  readonly form: Pick<ReturnType<typeof useForm<AgentEntries>>, 'values' | 'errors' | 'control' | 'change'>;
  readonly agent: AgentView;
}

/** Who writes the answers: whose key it is stands there before the key is sent to anybody. */
export function WriterFields({ form: { values, errors, control, change }, agent }: WriterFieldsProps) {
  const stored = entriesOf(agent);
  const { apiKey, provider } = values;
  const recognised = providerOfKey(apiKey);
  const name = provider === 'openai-compatible' ? 'the address below' : providerName(provider);
  return (
    <fieldset class="card">
      <legend>Who writes the answers</legend>
      <p class="lead">{writerSentence(agent.model)}</p>
      <Field
        label="API key (optional)"
        hint="Of a model’s provider: OpenAI, Anthropic, Google or another one. Stored encrypted, and never shown again."
        error={errors['apiKey']}
      >
        <input
          type="password"
          autoComplete="off"
          spellcheck={false}
          {...control('apiKey')}
          onInput={({ currentTarget }) => change(withKey(currentTarget.value, values, stored))}
        />
      </Field>
      <Field
        label="Provider"
        hint={
          isBuiltIn(provider)
            ? apiKey.trim() === ''
              ? 'Who answers, and whom a key is for.'
              : 'The key does not tell whose it is: choose who gave it to you.'
            : `${recognised === provider ? `The key says that it is one of ${name}. ` : ''}One small call to ${name} shows that it answers before anything is saved.`
        }
        error={errors['provider']}
      >
        <select
          {...control('provider')}
          onInput={({ currentTarget }) => change(withProvider(currentTarget.value, stored))}
        >
          {providerChoices(agent.model.provider).map((choice) => (
            <option key={choice.id} value={choice.id}>
              {choice.name}
            </option>
          ))}
        </select>
      </Field>
      {provider === 'openai-compatible' && (
        <Field
          label="Address"
          hint="Of a service that speaks the protocol of OpenAI, up to its version."
          error={errors['baseUrl']}
        >
          <input
            type="url"
            autoComplete="off"
            placeholder="https://models.example.com/v1"
            {...control('baseUrl')}
          />
        </Field>
      )}
      {!isBuiltIn(provider) && (
        <Field label="Model" hint="As the provider calls it." error={errors['model']}>
          <input type="text" autoComplete="off" spellcheck={false} {...control('model')} />
        </Field>
      )}
    </fieldset>
  );
}
