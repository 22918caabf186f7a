const number = new Intl.NumberFormat();

export const formatNumber = (value: number): string => number.format(value);

/** A time as somebody would say it. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

/** Small amounts keep the digits that tell them from nothing. */
export const formatCost = (amount: number, currency: string): string =>
  new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    ...(amount !== 0 && Math.abs(amount) < 1 && { maximumSignificantDigits: 2 }),
  }).format(amount);
