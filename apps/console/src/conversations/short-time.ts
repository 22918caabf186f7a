const ofToday = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const ofThisYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const ofAnyYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** A time as short as it can be told from the others. */
export function shortTime(at: Date, now: Date): string {
  if (at.toDateString() === now.toDateString()) return ofToday.format(at);
  return (at.getFullYear() === now.getFullYear() ? ofThisYear : ofAnyYear).format(at);
}
