import type { AgentView } from '@parley/protocol/settings/agent';
import type { CalendarView } from '@parley/protocol/settings/calendar-connection';
import { call } from '../api/call.ts';
import { goInstead } from '../router.ts';
import { announce } from '../ui/announcement.tsx';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { useForm } from '../ui/use-form.ts';
import { calendarBody, calendarProblems, newCalendar } from './calendar-entries.ts';
import { CalendarFields } from './calendar-fields.tsx';

interface NewCalendarProps {
  readonly agents: readonly AgentView[];
  readonly trail: readonly { readonly name: string; readonly href?: string }[];
}

/** Gives an agent a calendar that this service keeps. */
export function NewCalendar({ agents, trail }: NewCalendarProps) {
  const form = useForm({
    name: `new calendar of ${agents[0]?.tenantId}`,
    initial: newCalendar(agents[0]?.id ?? ''),
    fieldOf: (path) => (path.startsWith('hours') ? 'day1' : path),
  });
  const create = async (event: Event) => {
    event.preventDefault();
    await form.submit(
      (values) => ({
        ...calendarProblems(values),
        ...(values.agentId === '' && { agentId: 'Create an agent first: a calendar belongs to one.' }),
      }),
      async (values) => {
        const body = { agentId: values.agentId, kind: 'calendar', ...calendarBody(values) };
        const made = await call<CalendarView>('POST', '/connections', body);
        form.reset();
        announce('The agent can book from its next turn on.');
        goInstead('integrations', 'connections', made.id);
      },
    );
  };
  return (
    <Page
      title="Add a calendar"
      trail={trail}
      lead="It is kept here, without an account anywhere: the agent sees what is free and books it, and your own calendar subscribes to it."
    >
      <form class="card connection-form" ref={form.form} noValidate onSubmit={(event) => void create(event)}>
        {form.problem && <Problem>{form.problem}</Problem>}
        <CalendarFields values={form.values} errors={form.errors} control={form.control} />
        <Field label="Agent" error={form.errors['agentId']}>
          <select {...form.control('agentId')}>
            {agents.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        <div class="actions">
          <button type="submit" class="button primary" disabled={form.busy}>
            Add calendar
          </button>
        </div>
      </form>
    </Page>
  );
}
