import type { AgentView } from '@parley/protocol/settings/agent';
import { Field } from '../ui/field.tsx';
import { Further } from '../ui/further.tsx';
import { budgetMeaning } from './budget-meaning.ts';
import type { ConductForm } from './conduct-form.ts';
import { limitFields, limitGroups } from './limit-groups.ts';
import { useAverages } from './use-averages.ts';

interface LimitFieldsProps {
  readonly form: ConductForm;
  readonly agent: AgentView;
}

/** What a day may cost, and what nobody may do more often. */
export function LimitFields({ form: { control, errors, values }, agent }: LimitFieldsProps) {
  const averages = useAverages(agent, values.instructions);
  const tokens = Number(values.tokensPerDay || usualTokens);
  const before =
    values.fallback === 'quoting' && values.provider !== 'quoting'
      ? 'When they are spent, it quotes its knowledge until midnight UTC.'
      : 'When they are spent, nobody is answered until midnight UTC.';
  return (
    <fieldset class="card">
      <legend>Budget and limits</legend>
      <Field label="Tokens a day" hint={before} error={errors['tokensPerDay']}>
        <input type="text" inputMode="numeric" autoComplete="off" {...control('tokensPerDay')} />
      </Field>
      {tokens >= 1 && (
        <p class="notice" role="status">
          {budgetMeaning(tokens, averages)}
        </p>
      )}
      <Further summary="Limits against misuse" hasErrors={limitFields.some(({ name }) => errors[name])}>
        <p class="hint">
          They bound what somebody can do with a key that stands in a page. No person meets the defaults;
          empty restores one. Of your own servers, which have a secret key, conversations and addresses are
          not counted.
        </p>
        {limitGroups.map(({ title, hint, fields }) => (
          <fieldset key={title} class="group">
            <legend>{title}</legend>
            <p class="hint">{hint}</p>
            <div class="columns narrow-columns">
              {fields.map(({ name, label }) => (
                <Field key={name} label={label} error={errors[name]}>
                  <input type="text" inputMode="decimal" autoComplete="off" {...control(name)} />
                </Field>
              ))}
            </div>
          </fieldset>
        ))}
      </Further>
    </fieldset>
  );
}

/** What the service has where nothing is set. */
const usualTokens = 50_000_000;
