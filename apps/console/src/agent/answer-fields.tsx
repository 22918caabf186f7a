import { MailFields } from '../approvals/mail-fields.tsx';
import { Check } from '../ui/check.tsx';
import { Field } from '../ui/field.tsx';
import { Further } from '../ui/further.tsx';
import type { ConductProps } from './conduct-form.ts';
import { isBuiltIn } from './providers.ts';

const minutesText = (minutes: number): string =>
  minutes % 60 === 0 ? `${minutes / 60} ${minutes === 60 ? 'hour' : 'hours'}` : `${minutes} minutes`;

/** How much it thinks and says, and what happens when it cannot. */
export const AnswerFields = ({ form }: ConductProps) => {
  const { control, errors, values, set } = form;
  return (
    <fieldset class="card">
      <legend>How it answers</legend>
      {values.provider !== 'quoting' && (
        <Check
          label="Quote the knowledge when the model cannot answer"
          hint="When its provider is down or the day’s tokens are spent, visitors read the best passages with their sources, and that these are quotes. Off, they read that it could not answer. After a tool has done something in a turn it is not used: a quote would say nothing of what was done."
          checked={values.fallback === 'quoting'}
          onChange={(on) => set('fallback', on ? 'quoting' : '')}
        />
      )}
      {!isBuiltIn(values.provider) && (
        <>
          <div class="columns">
            <Field
              label="Reasoning"
              hint="More of it answers harder questions, later and for more tokens."
              error={errors['effort']}
            >
              <select {...control('effort')}>
                <option value="">As the model does by itself</option>
                <option value="none">None</option>
                <option value="low">A little</option>
                <option value="medium">Some</option>
                <option value="high">Much</option>
              </select>
            </Field>
            <Field
              label="Temperature"
              hint="0 is sober, 2 is wild. Empty: the model’s own."
              error={errors['temperature']}
            >
              <input type="text" inputMode="decimal" autoComplete="off" {...control('temperature')} />
            </Field>
          </div>
          {values.provider !== 'anthropic' && (
            <Field
              label="Embedding model"
              hint="Finds passages in other words than their own, too, by a model of the same provider, such as text-embedding-3-small. Each passage and each search is sent to it. Empty: by words alone."
              error={errors['embedding']}
            >
              <input
                type="text"
                maxLength={200}
                autoComplete="off"
                spellcheck={false}
                {...control('embedding')}
              />
            </Field>
          )}
          <Check
            label="Visitors may read the reasoning"
            checked={values.showReasoning !== ''}
            onChange={(on) => set('showReasoning', on ? 'yes' : '')}
          />
        </>
      )}
      <Field
        label="Who approves what it does"
        hint="Of tools that need an approval. The team answers in the inbox, and the visitor reads that it is checking."
        error={errors['approvalsBy']}
      >
        <select {...control('approvalsBy')}>
          <option value="visitor">The visitor</option>
          <option value="team">The team</option>
          <option value="either">Whoever of both is first</option>
          <option value="both">The visitor and one of the team</option>
          <option value="two">Two different members of the team</option>
        </select>
      </Field>
      {(values.approvalsBy !== 'visitor' || errors['approvalMail']) && <MailFields form={form} />}
      <Check
        label="Visitors may ask for a mail when it is ready"
        hint="In the widget, while an answer takes long. They get one mail, by the agent’s connection for mail, with the agent’s name and a link back and nothing of what was said."
        checked={values.readyMail !== ''}
        onChange={(on) => set('readyMail', on ? 'yes' : '')}
      />
      <Field
        label="The contact it talks to"
        hint="In the widget, once the visitor has signed in. Never on the Chat interface."
        error={errors['contacts']}
      >
        <select {...control('contacts')}>
          <option value="none">It knows nothing of it</option>
          <option value="read">It reads what is noted</option>
          <option value="change">It reads, notes and moves it through the pipeline</option>
        </select>
      </Field>
      <Check
        label="The agent may ask the team"
        hint="In the inbox, for what it cannot find out. Its turn waits for the first answer, and the visitor reads that it is checking with a colleague. Never on the Chat interface."
        checked={values.teamQuestionMinutes !== ''}
        onChange={(on) => set('teamQuestionMinutes', on ? '30' : '')}
      />
      {values.teamQuestionMinutes !== '' && (
        <Field
          label="Time to answer it"
          hint="After that the agent is told that nobody answered."
          error={errors['teamQuestionMinutes']}
        >
          <select {...control('teamQuestionMinutes')}>
            {[...new Set(['5', '15', '30', '60', '240', '1440', values.teamQuestionMinutes])].map(
              (minutes) => (
                <option key={minutes} value={minutes}>
                  {minutesText(Number(minutes))}
                </option>
              ),
            )}
          </select>
        </Field>
      )}
      <Further
        summary="Further settings"
        hasErrors={['maxOutputTokens', 'maxSteps', 'contextTokens'].some((field) => errors[field])}
      >
        <div class="columns">
          <Field
            label="Longest answer"
            hint="In tokens; four characters are about one. Empty: the model’s own."
            error={errors['maxOutputTokens']}
          >
            <input type="text" inputMode="numeric" autoComplete="off" {...control('maxOutputTokens')} />
          </Field>
          <Field
            label="Steps of a turn"
            hint="How often it may call tools and think again before it has to answer."
            error={errors['maxSteps']}
          >
            <input type="text" inputMode="numeric" autoComplete="off" {...control('maxSteps')} />
          </Field>
          <Field
            label="Memory"
            hint="Tokens of a conversation that are sent along; what is older is summarised. Empty: what the model holds."
            error={errors['contextTokens']}
          >
            <input type="text" inputMode="numeric" autoComplete="off" {...control('contextTokens')} />
          </Field>
        </div>
        <Check
          label="Approvals and questions on the Chat interface"
          hint="Whoever calls it has to answer them. Off, tools that need an approval are not offered there."
          checked={values.approvalsOnChat !== ''}
          onChange={(on) => set('approvalsOnChat', on ? 'yes' : '')}
        />
        <Check
          label="Pages may ask for answers as JSON"
          hint="A request with a publishable key may carry an outputSchema. A secret key always may."
          checked={values.outputSchemaForVisitors !== ''}
          onChange={(on) => set('outputSchemaForVisitors', on ? 'yes' : '')}
        />
      </Further>
    </fieldset>
  );
};
