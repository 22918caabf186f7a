import { calendarPattern } from '@parley/protocol/calendar-path';
import { fillPath } from '@parley/protocol/paths';
import type { Bookings } from '../../calendar/bookings.ts';
import type { Secrets } from '../../crypto/secrets.ts';
import { noticeMail } from '../../mail/notice-mail.ts';
import { connectionOf } from '../../settings/connection.ts';
import { readable } from '../../settings/readable.ts';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import type { SettingsStore } from '../../store/settings-store.ts';
import { sendPieces } from '../connection/send-pieces.ts';
import type { Handlers } from '../handlers.ts';
import { ProblemError } from '../problem.ts';

const purpose = 'calendar feed';
const addressed = /^(connection_[0-9a-f]{24})\.([\w-]{43})\.ics$/;

interface Feed {
  readonly id: string;
  /** Counts the addresses that it has had. */
  readonly feedVersion: number;
}

const signed = ({ id, feedVersion }: Feed): string => `${id} ${feedVersion}`;

/** The address of a calendar's feed, which nobody can guess. */
export function calendarFeedUrl(publicUrl: string, platform: string, secrets: Secrets, feed: Feed): string {
  const mac = secrets.mac(purpose, signed(feed));
  return publicUrl + fillPath(calendarPattern(platform), `${feed.id}.${mac}.ics`);
}

interface CalendarHandlersDeps {
  readonly connections: Pick<SettingsStore['connections'], 'get'>;
  readonly settings: Pick<SettingsCache, 'connections'>;
  readonly secrets: Secrets;
  readonly bookings: Pick<Bookings, 'list'>;
}

/** Serves the feeds of calendars. */
export function calendarHandlers({
  connections,
  settings,
  secrets,
  bookings,
}: CalendarHandlersDeps): Handlers<'readCalendar'> {
  return {
    async readCalendar({ request, response, id: name }) {
      const [, id = '', mac = ''] = addressed.exec(name) ?? [];
      const record = id === '' ? null : await connections.get(id);
      const calendar = record && (await readable(() => connectionOf(record, secrets)));
      if (record === null || calendar?.kind !== 'calendar' || !secrets.verify(purpose, signed(calendar), mac))
        throw new ProblemError('NOT_FOUND', 'There is nothing at this path.');
      const mail = noticeMail(await settings.connections(record.agentId));
      const appointments = await bookings.list(id);
      response.setHeader('content-type', 'text/calendar; charset=utf-8');
      response.setHeader('content-disposition', 'attachment; filename="calendar.ics"');
      response.setHeader('cache-control', 'private, no-cache');
      if (request.method === 'HEAD') return void response.end();
      const { calendarFeed } = await import('../../calendar/icalendar.ts');
      await sendPieces(response, calendarFeed(calendar, appointments, mail?.from ?? null));
    },
  };
}
