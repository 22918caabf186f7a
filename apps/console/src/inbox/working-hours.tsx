import type { TeamSettings } from '@parley/protocol/settings/team';
import { tenant } from '../api/member.ts';
import { announce } from '../ui/announcement.tsx';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';
import { days, enteredHours, hourEntries, hourProblems } from './team-hours.ts';

interface WorkingHoursProps {
  readonly team: TeamSettings;
  readonly save: (change: Partial<TeamSettings>) => Promise<void>;
}

/** When somebody is there, and what a visitor is told who writes to a person at another time. */
export function WorkingHours({ team, save }: WorkingHoursProps) {
  const form = useForm<Record<string, string>>({
    name: `working hours of ${tenant.value?.id}`,
    initial: entriesOf(team),
    fieldOf: (path) => path.replace(/^team\.(hours\.)?/, '').replace(/\.(from|to)$/, ''),
  });
  const submit = async (event: Event) => {
    event.preventDefault();
    await form.submit(hourProblems, async (values) => {
      await save({ hours: enteredHours(values), awayMessage: values['awayMessage']?.trim() || null });
      form.reset();
      announce('The hours are saved.');
    });
  };
  return (
    <section class="card">
      <h2>Working hours</h2>
      <p class="meta">
        A visitor who writes to a person while nobody is there is told so, once. Leave a day empty when nobody
        is; a day until midnight ends at 00:00.
      </p>
      {form.problem && <Problem>{form.problem}</Problem>}
      <form ref={form.form} class="stack" noValidate onSubmit={(event) => void submit(event)}>
        {days.map(([day, name]) => (
          // A legend stands in no row with what it names in WebKit.
          <div key={day} class="day" role="group" aria-labelledby={`${day}-hours`}>
            <p id={`${day}-hours`} class="row-name">
              {name}
            </p>
            <Field label="From" error={form.errors[day]}>
              <input type="time" {...form.control(`${day} from`)} />
            </Field>
            <Field label="To">
              <input type="time" {...form.control(`${day} to`)} />
            </Field>
          </div>
        ))}
        <Field label="Time zone" hint="Such as Europe/Berlin." error={form.errors['timeZone']}>
          <input
            type="text"
            maxLength={64}
            autocomplete="off"
            spellcheck={false}
            {...form.control('timeZone')}
          />
        </Field>
        <Field
          label="What visitors are told meanwhile"
          hint="Such as: We are back on Monday at nine and answer then. Empty: nothing."
          error={form.errors['awayMessage']}
        >
          <textarea rows={2} maxLength={1_000} {...form.control('awayMessage')} />
        </Field>
        <div class="actions">
          <button type="submit" class="button primary" disabled={form.busy}>
            Save hours
          </button>
        </div>
      </form>
    </section>
  );
}

const entriesOf = ({ hours, awayMessage }: TeamSettings): Record<string, string> => ({
  timeZone: hours?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  awayMessage: awayMessage ?? '',
  ...hourEntries(hours),
});
