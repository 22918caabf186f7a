import { Field } from '../ui/field.tsx';
import type { FormFields } from '../ui/use-form.ts';
import { CallLimit } from './call-limit.tsx';
import type { CalendarEntries } from './calendar-entries.ts';
import { weekdays } from './working-hours.ts';

/** What a calendar is set to. */
export function CalendarFields({ control, errors }: FormFields<CalendarEntries>) {
  return (
    <>
      <Field label="What is booked" hint="Visitors and the calendar call it so." error={errors['title']}>
        <input type="text" maxLength={200} autoComplete="off" {...control('title')} />
      </Field>
      <Field label="Place" error={errors['location']}>
        <input type="text" maxLength={500} autoComplete="off" {...control('location')} />
      </Field>
      <Field label="Minutes of one" error={errors['minutes']}>
        <input type="text" inputMode="numeric" maxLength={3} autoComplete="off" {...control('minutes')} />
      </Field>
      <fieldset class="connection-hours">
        <legend>When somebody can come</legend>
        {weekdays.map(([field, day]) => (
          <Field key={field} label={day} error={errors[field]}>
            <input type="text" maxLength={100} placeholder="Closed" autoComplete="off" {...control(field)} />
          </Field>
        ))}
      </fieldset>
      <Field label="Time zone" hint="Of these hours, such as Europe/Berlin." error={errors['timeZone']}>
        <input type="text" maxLength={64} autoComplete="off" spellcheck={false} {...control('timeZone')} />
      </Field>
      <Field
        label="Minutes of notice"
        hint="Nothing that begins sooner is booked."
        error={errors['noticeMinutes']}
      >
        <input
          type="text"
          inputMode="numeric"
          maxLength={5}
          autoComplete="off"
          {...control('noticeMinutes')}
        />
      </Field>
      <Field label="Days ahead" hint="Nothing later is booked; 90 at most." error={errors['horizonDays']}>
        <input type="text" inputMode="numeric" maxLength={2} autoComplete="off" {...control('horizonDays')} />
      </Field>
      <Field
        label="Appointments in one conversation"
        hint="Whoever has booked as many is told that the team can help."
        error={errors['bookingsPerConversation']}
      >
        <input
          type="text"
          inputMode="numeric"
          maxLength={3}
          autoComplete="off"
          {...control('bookingsPerConversation')}
        />
      </Field>
      <Field label="Before it is booked, moved or cancelled" error={errors['approval']}>
        <select {...control('approval')}>
          <option value="always">Ask the visitor every time</option>
          <option value="once">Ask the visitor once</option>
          <option value="never">Do it at once</option>
        </select>
      </Field>
      <Field
        label="Name"
        hint="Stands before the names of its tools: small letters, digits and -."
        error={errors['name']}
      >
        <input type="text" maxLength={24} autoComplete="off" spellcheck={false} {...control('name')} />
      </Field>
      <CallLimit error={errors['callsPerMinute']} control={control('callsPerMinute')} />
    </>
  );
}
