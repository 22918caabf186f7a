import { expect, test } from 'vitest';
import { enteredHours, hourEntries, hourProblems } from './team-hours.ts';

const timeZone = 'Europe/Berlin';

test('a day that ends at midnight is entered as a field for a time can have it', () => {
  const hours = {
    timeZone,
    friday: { from: '18:00', to: '24:00' },
    saturday: { from: '00:00', to: '24:00' },
  };
  const entries = { ...hourEntries(hours), timeZone };
  expect(entries).toMatchObject({ 'friday to': '00:00', 'saturday to': '00:00', 'sunday to': '' });
  expect(hourProblems(entries)).toEqual({});
  expect(enteredHours(entries)).toEqual(hours);
});

test('hours that end before they begin, or have one time, are none', () => {
  const entries = { ...hourEntries(null), timeZone };
  expect(enteredHours(entries)).toBe(null);
  const wrong = { ...entries, 'monday from': '17:00', 'monday to': '09:00', 'tuesday from': '09:00' };
  expect(Object.keys(hourProblems(wrong))).toEqual(['monday', 'tuesday']);
});
