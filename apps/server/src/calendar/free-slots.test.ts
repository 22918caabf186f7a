import { expect, test } from 'vitest';
import { DateTime } from 'luxon';
import { freeSlots } from './free-slots.ts';

const zone = 'Europe/Berlin';
const calendar = {
  timeZone: zone,
  hours: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '09:00', to: '11:00' }],
  minutes: 30,
  noticeMinutes: 60,
  horizonDays: 30,
};
const ms = (text: string) => DateTime.fromISO(text, { zone }).toMillis();
const shown = (slots: Iterable<number>) =>
  [...slots].map((slot) => DateTime.fromMillis(slot, { zone }).toFormat("dd HH:mm'+'Z"));
const day = (date: string) => ({ from: ms(date), before: ms(date) + 24 * 3_600_000 });

test('what is taken, in part or as a whole, is not free', () => {
  const taken = [
    { startsAt: ms('2026-06-01T09:15'), endsAt: ms('2026-06-01T09:45') },
    { startsAt: ms('2026-06-01T10:30'), endsAt: ms('2026-06-01T11:00') },
  ];
  const slots = freeSlots(calendar, taken, { ...day('2026-06-01'), now: ms('2026-05-30') });
  expect(shown(slots)).toEqual(['01 10:00++2']);
});

test('nothing is free without notice, beyond the horizon, or out of hours', () => {
  const soon = freeSlots(calendar, [], { ...day('2026-06-01'), now: ms('2026-06-01T08:45') });
  expect(shown(soon)).toEqual(['01 10:00++2', '01 10:30++2']);
  expect([...freeSlots(calendar, [], { ...day('2026-08-01'), now: ms('2026-06-01') })]).toEqual([]);
  const weekdays = { ...calendar, hours: [{ days: [1], from: '23:30', to: '24:00' }] };
  const week = { from: ms('2026-06-01'), before: ms('2026-06-08'), now: ms('2026-05-30') };
  expect(shown(freeSlots(weekdays, [], week))).toEqual(['01 23:30++2']);
});

test('appointments begin on the grid, whatever hours an earlier version has taken', () => {
  const odd = { ...calendar, hours: [{ days: [1], from: '09:03', to: '10:38' }] };
  const slots = freeSlots(odd, [], { ...day('2026-06-01'), now: ms('2026-05-30') });
  expect(shown(slots)).toEqual(['01 09:05++2', '01 09:35++2', '01 10:05++2']);
});

test('hours are those of the place, also on the days when its clocks change', () => {
  const early = {
    ...calendar,
    hours: [{ days: [7], from: '01:00', to: '04:00' }],
    minutes: 60,
    noticeMinutes: 0,
  };
  const spring = freeSlots(early, [], { ...day('2026-03-29'), now: ms('2026-03-20') });
  expect(shown(spring)).toEqual(['29 01:00++1', '29 03:00++2']);
  const autumn = freeSlots(early, [], {
    from: ms('2026-10-25'),
    before: ms('2026-10-26'),
    now: ms('2026-10-20'),
  });
  expect(shown(autumn)).toEqual(['25 01:00++2', '25 02:00++2', '25 02:00++1', '25 03:00++1']);
});
