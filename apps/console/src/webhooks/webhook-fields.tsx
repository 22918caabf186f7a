import type { AgentView } from '@parley/protocol/settings/agent';
import { useId } from 'preact/hooks';
import { Check } from '../ui/check.tsx';
import { Field } from '../ui/field.tsx';
import type { FormFields } from '../ui/use-form.ts';
import { eventWords } from './event-words.ts';
import { isAskedToApprove, linesOf, type WebhookEntries } from './webhook-entries.ts';

interface WebhookFieldsProps extends FormFields<WebhookEntries> {
  readonly agents: readonly AgentView[];
  readonly set: (field: keyof WebhookEntries & string, value: string) => void;
}

/** Where events go, and which. */
export function WebhookFields({ agents, control, errors, values, set }: WebhookFieldsProps) {
  const errorId = useId();
  const toggle = (field: 'events' | 'agentIds', value: string, on: boolean) => {
    const rest = linesOf(values[field]).filter((each) => each !== value);
    set(field, [...rest, ...(on ? [value] : [])].join('\n'));
  };
  const events = linesOf(values.events);
  const chosen = linesOf(values.agentIds);
  return (
    <>
      <Field label="Address" hint="Takes every event as a POST with JSON." error={errors['url']}>
        <input type="url" maxLength={2_000} autoComplete="off" spellcheck={false} {...control('url')} />
      </Field>
      <Field label="Name" hint="For your team." error={errors['name']}>
        <input type="text" maxLength={200} autoComplete="off" {...control('name')} />
      </Field>
      <fieldset class="webhook-choice" aria-describedby={errors['events'] && errorId}>
        <legend>What it is told</legend>
        {Object.entries(eventWords).map(([type, { label, hint }]) => (
          <Check
            key={type}
            label={label}
            hint={hint}
            checked={events.includes(type)}
            onChange={(on) => toggle('events', type, on)}
          />
        ))}
        {errors['events'] && (
          <p class="error" id={errorId}>
            {errors['events']}
          </p>
        )}
      </fieldset>
      {isAskedToApprove(values) && (
        <Check
          label="With a link that approves"
          hint="It answers one approval, once, in the name of this webhook: whoever runs the address may say yes or no. Only where the team may approve."
          checked={values.approvalLinks !== ''}
          onChange={(on) => set('approvalLinks', on ? 'yes' : '')}
        />
      )}
      {agents.length > 1 && (
        <fieldset class="webhook-choice">
          <legend>Of which agents</legend>
          <p class="hint">{chosen.length === 0 ? 'Of all, and of those to come.' : 'Of these alone.'}</p>
          {agents.map(({ id, name }) => (
            <Check
              key={id}
              label={name}
              checked={chosen.includes(id)}
              onChange={(on) => toggle('agentIds', id, on)}
            />
          ))}
          {errors['agentIds'] && <p class="error">{errors['agentIds']}</p>}
        </fieldset>
      )}
    </>
  );
}
