import { expect, test } from 'vitest';
import { enteredHours, hourEntries } from './working-hours.ts';

test('hours are entered day by day, and days of the same hours are one', () => {
  const hours = [
    { days: [1, 2, 4], from: '09:00', to: '12:00' },
    { days: [1], from: '13:00', to: '24:00' },
  ];
  const entries = hourEntries(hours);
  expect(entries).toMatchObject({ day1: '09:00-12:00, 13:00-24:00', day2: '09:00-12:00', day3: '' });
  expect(enteredHours(entries)).toEqual({ hours, unreadable: [] });
});

test('hours are read as people write them, or not at all', () => {
  const closed = hourEntries([]);
  expect(enteredHours({ ...closed, day1: '9 – 17.30' }).hours).toEqual([
    { days: [1], from: '09:00', to: '17:30' },
  ]);
  for (const wrong of ['17-9', '9', 'nine to five', '9-25', '9:70-10'])
    expect(enteredHours({ ...closed, day7: wrong })).toEqual({ hours: [], unreadable: ['day7'] });
});
