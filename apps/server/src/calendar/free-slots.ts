import type { CalendarSettings } from '@parley/protocol/settings/calendar-connection';
import { DateTime } from 'luxon';
import { appointmentGridMs } from '../store/appointment-store.ts';

/** A time that is taken, in Unix milliseconds. */
interface Taken {
  readonly startsAt: number;
  readonly endsAt: number;
}

type Hours = Pick<CalendarSettings, 'timeZone' | 'hours' | 'minutes' | 'noticeMinutes' | 'horizonDays'>;

/** What may be booked between two times, of which `now` is none: begins in order. */
export function* freeSlots(
  calendar: Hours,
  taken: readonly Taken[],
  { from, before, now }: { readonly from: number; readonly before: number; readonly now: number },
): Generator<number, void> {
  const { timeZone: zone, hours, minutes, noticeMinutes, horizonDays } = calendar;
  const first = Math.max(from, now + noticeMinutes * 60_000);
  const last = Math.min(before, DateTime.fromMillis(now, { zone }).plus({ days: horizonDays }).toMillis());
  const busy = taken.toSorted((a, b) => a.startsAt - b.startsAt);
  let seen = 0;
  for (
    let day = DateTime.fromMillis(first, { zone }).startOf('day');
    day.toMillis() < last;
    day = day.plus({ days: 1 })
  ) {
    for (const start of beginsOf(day, hours, minutes)) {
      const end = start + minutes * 60_000;
      if (start < first || start >= last) continue;
      while ((busy[seen]?.endsAt ?? Infinity) <= start) seen += 1;
      if ((busy[seen]?.startsAt ?? Infinity) >= end) yield start;
    }
  }
}

/** Where appointments of a day may begin, as the clock of the place has it: on the day of a change there are fewer or more. */
function beginsOf(day: DateTime, hours: Hours['hours'], minutes: number): number[] {
  const begins = new Set<number>();
  for (const { days, from, to } of hours) {
    if (!days.includes(day.weekday)) continue;
    const end = at(day, to);
    // What is not on the grid shares a part of it with the next appointment, which would be taken.
    const first = Math.ceil(at(day, from) / appointmentGridMs) * appointmentGridMs;
    for (let start = first; start + minutes * 60_000 <= end; start += minutes * 60_000) begins.add(start);
  }
  return [...begins].toSorted((a, b) => a - b);
}

function at(day: DateTime, time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour === 24 ? day.plus({ days: 1 }).startOf('day').toMillis() : day.set({ hour, minute }).toMillis();
}
