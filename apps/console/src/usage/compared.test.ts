import { expect, test } from 'vitest';
import { compared } from './compared.ts';
import { daysBefore, lastDays } from './period.ts';

test('a figure is compared with that of as many days before', () => {
  const said = [
    [3, 2],
    [1, 4],
    [0, 4],
    [1_000, 1_001],
    [5, 0],
  ].map(([now, before]) => compared(now!, before!, 30));
  expect(said).toEqual([
    '50 % more than in the 30 days before',
    '75 % less than in the 30 days before',
    '100 % less than in the 30 days before',
    'as in the 30 days before',
    '',
  ]);
  const days = lastDays(3, Date.parse('2026-03-02T12:00:00Z'));
  expect([days, daysBefore(days)]).toEqual([
    ['2026-02-28', '2026-03-01', '2026-03-02'],
    ['2026-02-25', '2026-02-26', '2026-02-27'],
  ]);
});
