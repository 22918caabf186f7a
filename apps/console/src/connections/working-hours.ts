import type { CalendarView } from '@parley/protocol/settings/calendar-connection';

type Hours = CalendarView['hours'];

/** Monday is 1, as the settings have it. */
export const weekdays = [
  ['day1', 'Monday'],
  ['day2', 'Tuesday'],
  ['day3', 'Wednesday'],
  ['day4', 'Thursday'],
  ['day5', 'Friday'],
  ['day6', 'Saturday'],
  ['day7', 'Sunday'],
] as const;

export type HourEntries = Record<(typeof weekdays)[number][0], string>;

/** The hours as they are entered: `09:00-12:00, 13:00-17:00` for each day, nothing for a day that is closed. */
export function hourEntries(hours: Hours): HourEntries {
  const entries = weekdays.map(([field], index) => {
    const ranges = hours.filter(({ days }) => days.includes(index + 1));
    return [field, ranges.map(({ from, to }) => `${from}-${to}`).join(', ')];
  });
  return Object.fromEntries(entries) as HourEntries;
}

/** What was entered, days of the same hours together; null where a field of it cannot be read. */
export function enteredHours(entries: HourEntries): { hours: Hours; unreadable: readonly string[] } {
  const daysOf = new Map<string, number[]>();
  const unreadable: string[] = [];
  weekdays.forEach(([field], index) => {
    for (const range of entries[field].split(',').map((part) => part.trim())) {
      if (range === '') continue;
      const [from, to] = range.split(/\s*[-–]\s*/).map(timeOf);
      if (!from || !to || from >= to) unreadable.push(field);
      else daysOf.set(`${from}-${to}`, [...(daysOf.get(`${from}-${to}`) ?? []), index + 1]);
    }
  });
  const hours = [...daysOf].map(([range, days]) => {
    const [from = '', to = ''] = range.split('-');
    return { days, from, to };
  });
  return { hours, unreadable };
}

function timeOf(text: string): string | null {
  const [, hour = '', minute = '00'] = /^(\d{1,2})(?:[:.](\d{2}))?$/.exec(text) ?? [];
  const time = `${hour.padStart(2, '0')}:${minute}`;
  return hour !== '' && (time <= '23:59' || time === '24:00') && minute < '60' ? time : null;
}
