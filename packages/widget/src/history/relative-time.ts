const units = [
  ['year', 365 * 24 * 60 * 60],
  ['month', 30 * 24 * 60 * 60],
  ['week', 7 * 24 * 60 * 60],
  ['day', 24 * 60 * 60],
  ['hour', 60 * 60],
  ['minute', 60],
] as const;

/** How long ago something was, in words. A clock that is behind makes nothing lie in the future. */
export function relativeTime(at: number, now: number, locale: string): string {
  const seconds = Math.max(0, now - at) / 1_000;
  const unit = units.find(([, length]) => seconds >= length);
  if (!unit) return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(0, 'second');
  return new Intl.RelativeTimeFormat(locale).format(-Math.floor(seconds / unit[1]), unit[0]);
}
