/** How a figure compares with that of as many days before; empty where there was none. */
export function compared(now: number, before: number, days: number): string {
  if (before === 0) return '';
  const change = Math.round((now / before - 1) * 100);
  if (change === 0) return `as in the ${days} days before`;
  return `${Math.abs(change)} % ${change > 0 ? 'more' : 'less'} than in the ${days} days before`;
}
