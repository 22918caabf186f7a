/** How much more the first places count than those behind them; the constant of reciprocal rank fusion. */
const flatness = 60;

/** One order out of several: what stands far in front in any of them, or well in all. */
export function fuseRanks(orders: readonly (readonly number[])[]): readonly number[] {
  const scores = new Map<number, number>();
  for (const order of orders)
    for (const [rank, key] of order.entries())
      scores.set(key, (scores.get(key) ?? 0) + 1 / (flatness + rank + 1));
  return [...scores].toSorted((a, b) => b[1] - a[1]).map(([key]) => key);
}
