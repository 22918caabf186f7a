import { calendarPattern } from './calendar-path.ts';
import type { Route } from './route.ts';

export const calendarRoutes = (platform: string) =>
  [
    {
      tag: 'Service',
      name: 'readCalendar',
      method: 'get',
      path: calendarPattern(platform),
      principal: 'anyone',
      summary: 'Subscribe to the appointments of a calendar; its address is the right to',
      responses: [
        { status: 200, description: 'iCalendar (RFC 5545).', content: { 'text/calendar': 'text' } },
      ],
      problems: ['NOT_FOUND'],
    },
  ] as const satisfies readonly Route[];
