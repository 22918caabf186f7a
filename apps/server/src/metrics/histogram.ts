import type { Metric } from './metrics-text.ts';

/** Seconds: from what feels immediate to as long as a turn may take. */
const bounds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const;

/** How long something took, counted by bounds that do not change. */
export class Histogram {
  readonly #counts = bounds.map(() => 0);
  #count = 0;
  #sum = 0;

  observe(seconds: number): void {
    this.#count += 1;
    this.#sum += seconds;
    const at = bounds.findIndex((bound) => seconds <= bound);
    if (at >= 0) this.#counts[at] = (this.#counts[at] ?? 0) + 1;
  }

  samples(): Metric['samples'] {
    let below = 0;
    const buckets = bounds.map((bound, at) => {
      below += this.#counts[at] ?? 0;
      return { suffix: '_bucket', labels: { le: String(bound) }, value: below } as const;
    });
    return [
      ...buckets,
      { suffix: '_bucket', labels: { le: '+Inf' }, value: this.#count },
      { suffix: '_sum', value: this.#sum },
      { suffix: '_count', value: this.#count },
    ];
  }
}
