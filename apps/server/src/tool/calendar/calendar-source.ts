import type { CalendarSettings } from '@parley/protocol/settings/calendar-connection';
import { noticeMail } from '../../mail/notice-mail.ts';
import type { ToolSource } from '../source.ts';
import { type CalendarDeps, calendarTools } from './calendar-tools.ts';

/** The calendars that this service keeps for an agent; invitations leave by its connection for mail. */
export function calendarSource(deps: CalendarDeps): ToolSource {
  return {
    load({ connections }) {
      const calendars = connections.filter((each): each is CalendarSettings => each.kind === 'calendar');
      const mail = noticeMail(connections);
      const tools = calendars.flatMap((calendar) => calendarTools({ calendar, mail }, deps));
      return Promise.resolve({ forSession: () => tools, close: () => Promise.resolve() });
    },
  };
}
