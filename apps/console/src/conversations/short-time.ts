const ofToday = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const ofThisYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const momentOfThisYear = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
});
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const ofAnyYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** A time as short as it can be told from the others. */
export function shortTime(at: Date, now: Date): string {
  if (at.toDateString() === now.toDateString()) return ofToday.format(at);
  return (at.getFullYear() === now.getFullYear() ? ofThisYear : ofAnyYear).format(at);
}

/** The same beside what was said, where the time of day always counts. */
export function saidTime(at: Date, now: Date): string {
  if (at.toDateString() === now.toDateString()) return ofToday.format(at);
  return (at.getFullYear() === now.getFullYear() ? momentOfThisYear : whole).format(at);
}

export const wholeTime = (at: Date): string => whole.format(at);
