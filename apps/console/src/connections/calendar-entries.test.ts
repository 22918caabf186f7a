import { expect, test } from 'vitest';
import { calendarChanges, newCalendar } from './calendar-entries.ts';

const before = newCalendar('agent_1');

test('of a calendar only what was entered is sent', () => {
  expect(calendarChanges(before, before)).toEqual({});
  expect(calendarChanges(before, { ...before, title: ' Test ride ' })).toEqual({ title: 'Test ride' });
  expect(calendarChanges(before, { ...before, day1: '10:00-12:00', day2: '', day3: '', day4: '' })).toEqual({
    hours: [
      { days: [1], from: '10:00', to: '12:00' },
      { days: [5], from: '09:00', to: '17:00' },
    ],
  });
});
