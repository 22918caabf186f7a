/** How long it still takes, in words: a wait of hours is not told in seconds. Never less than it is. */
export function formatWait(seconds: number, locale: string): string {
  const [unit, length] =
    seconds < 120 ? ['second', 1] : seconds < 7_200 ? ['minute', 60] : (['hour', 3_600] as const);
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.ceil(seconds / length),
  );
}
