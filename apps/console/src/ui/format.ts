const number = new Intl.NumberFormat();

export const formatNumber = (value: number): string => number.format(value);

/** A time as somebody would say it. */
export function formatDuration(ms: number): string {
  // Each is rounded before it is said in the next unit: there is no “1 min 60 s”.
  if (ms < 999.5) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Small amounts keep the digits that tell them from nothing. */
export const formatCost = (amount: number, currency: string): string =>
  new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    ...(amount !== 0 && Math.abs(amount) < 1 && { maximumSignificantDigits: 2 }),
  }).format(amount);
