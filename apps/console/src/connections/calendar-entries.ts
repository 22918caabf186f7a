import type { CalendarView } from '@parley/protocol/settings/calendar-connection';
import { changedIn } from '../ui/changed-in.ts';
import { callLimitProblem } from './call-limit.tsx';
import { enteredHours, hourEntries, type HourEntries } from './working-hours.ts';

export interface CalendarEntries extends HourEntries {
  [field: string]: string;
  agentId: string;
  name: string;
  title: string;
  location: string;
  timeZone: string;
  minutes: string;
  noticeMinutes: string;
  horizonDays: string;
  bookingsPerConversation: string;
  approval: string;
  callsPerMinute: string;
}

type Settings = Omit<CalendarView, 'id' | 'kind' | 'createdAt' | 'feedUrl'>;

export const calendarEntries = (calendar: Settings): CalendarEntries => ({
  ...hourEntries(calendar.hours),
  agentId: calendar.agentId,
  name: calendar.name,
  title: calendar.title,
  location: calendar.location,
  timeZone: calendar.timeZone,
  minutes: String(calendar.minutes),
  noticeMinutes: String(calendar.noticeMinutes),
  horizonDays: String(calendar.horizonDays),
  bookingsPerConversation: String(calendar.bookingsPerConversation),
  approval: calendar.approval,
  callsPerMinute: String(calendar.callsPerMinute),
});

/** What a new calendar begins with, in the zone of whoever makes it. */
export const newCalendar = (agentId: string): CalendarEntries =>
  calendarEntries({
    agentId,
    name: 'calendar',
    title: 'Appointment',
    location: '',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    minutes: 30,
    noticeMinutes: 60,
    horizonDays: 30,
    bookingsPerConversation: 3,
    approval: 'always',
    callsPerMinute: 60,
    hours: [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }],
  });

export function calendarProblems(entries: CalendarEntries): Record<string, string> {
  const { hours, unreadable } = enteredHours(entries);
  const numbers = ['minutes', 'noticeMinutes', 'horizonDays', 'bookingsPerConversation'].filter(
    (field) => !/^\d{1,5}$/.test(entries[field] ?? ''),
  );
  return {
    ...(entries.name === '' && { name: 'Give it a short name.' }),
    ...(entries.title.trim() === '' && { title: 'Say what is booked.' }),
    ...callLimitProblem(entries.callsPerMinute),
    ...Object.fromEntries(numbers.map((field) => [field, 'Enter a number.'])),
    ...(hours.length === 0 && unreadable.length === 0 && { day1: 'Enter when somebody can come.' }),
    ...Object.fromEntries(
      unreadable.map((field) => [field, 'Enter hours such as 09:00-12:00, 13:00-17:00.']),
    ),
  };
}

/** What is sent of it. */
export const calendarBody = (entries: CalendarEntries): object => ({
  name: entries.name,
  title: entries.title.trim(),
  location: entries.location.trim(),
  timeZone: entries.timeZone.trim(),
  minutes: Number(entries.minutes),
  noticeMinutes: Number(entries.noticeMinutes),
  horizonDays: Number(entries.horizonDays),
  bookingsPerConversation: Number(entries.bookingsPerConversation),
  approval: entries.approval,
  callsPerMinute: Number(entries.callsPerMinute),
  hours: enteredHours(entries).hours,
});

/** Of that, what differs from what was shown. */
export const calendarChanges = (before: CalendarEntries, entries: CalendarEntries): object =>
  changedIn(calendarBody(before), calendarBody(entries));
