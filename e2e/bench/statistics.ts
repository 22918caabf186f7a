/** The value that `share` of the sorted samples are at or below. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export function row(name: string, value: number, unit: string, wanted: string): void {
  process.stdout.write(`${name.padEnd(52)} ${value.toFixed(2).padStart(9)} ${unit.padEnd(8)} ${wanted}\n`);
}

/** Runs `total` tasks, at most `concurrency` at once. */
export async function inParallel(
  total: number,
  concurrency: number,
  task: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < total) await task(next++);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
