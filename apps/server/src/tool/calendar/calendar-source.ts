import type { CalendarSettings } from '@parley/protocol/settings/calendar-connection';
import type { MailSettings } from '@parley/protocol/settings/mail-connection';
import type { ToolSource } from '../source.ts';
import { type CalendarDeps, calendarTools } from './calendar-tools.ts';

/** The calendars that this service keeps for an agent; invitations leave by its first connection for mail. */
export function calendarSource(deps: CalendarDeps): ToolSource {
  return {
    load({ connections }) {
      const calendars = connections.filter((each): each is CalendarSettings => each.kind === 'calendar');
      const mail = connections.find((each): each is MailSettings => each.kind === 'mail') ?? null;
      const tools = calendars.flatMap((calendar) => calendarTools({ calendar, mail }, deps));
      return Promise.resolve({ forSession: () => tools, close: () => Promise.resolve() });
    },
  };
}
