import type { CalendarView } from '@parley/protocol/settings/calendar-connection';
import { useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { announce } from '../ui/announcement.tsx';
import { Code } from '../ui/code.tsx';
import { confirm } from '../ui/confirm.tsx';
import { Problem } from '../ui/notice.tsx';
import { SavedForm } from '../ui/saved-form.tsx';
import { useForm } from '../ui/use-form.ts';
import { calendarChanges, calendarEntries, calendarProblems } from './calendar-entries.ts';
import { CalendarFields } from './calendar-fields.tsx';

interface CalendarFormProps {
  readonly calendar: CalendarView;
  readonly onSaved: (calendar: CalendarView) => void;
}

/** A calendar that this service keeps: where to subscribe to it, and what it is set to. */
export function CalendarForm({ calendar, onSaved }: CalendarFormProps) {
  const path = `/connections/${calendar.id}`;
  const [problem, setProblem] = useState<string | null>(null);
  const initial = calendarEntries(calendar);
  const form = useForm({
    name: `calendar ${calendar.id}`,
    initial,
    fieldOf: (field) => (field.startsWith('hours') ? 'day1' : field),
  });
  const save = () =>
    form.submit(calendarProblems, async (values) => {
      const saved = await call<CalendarView>('PATCH', path, calendarChanges(initial, values));
      form.reset();
      onSaved(saved);
      announce('Saved. The agent has it from its next turn on.');
    });
  const renew = async () => {
    const text = 'Whoever has subscribed to it sees nothing more until they have the new address.';
    if (!(await confirm({ title: 'Make another address?', text, action: 'Make another' }))) return;
    try {
      onSaved(await call<CalendarView>('PATCH', path, { newFeedUrl: true }));
      announce('The calendar has another address.');
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  return (
    <>
      {problem && <Problem>{problem}</Problem>}
      <section class="connection-feed">
        <h2 class="section">Subscribe</h2>
        <p class="lead">
          Give this address to your own calendar program. Whoever has it sees who comes when.
        </p>
        <Code label="Address of the calendar" text={calendar.feedUrl} />
        {isAtLeast('admin') && (
          <button type="button" class="button" onClick={() => void renew()}>
            Make another address
          </button>
        )}
      </section>
      <section>
        <h2 class="section">Calendar</h2>
        <SavedForm class="connection-form" form={form} onSave={save}>
          <CalendarFields values={form.values} errors={form.errors} control={form.control} />
        </SavedForm>
      </section>
    </>
  );
}
