/** How long something took, as people say it: `640 ms`, `5.2 s`. */
export const duration = (ms: number): string =>
  ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
