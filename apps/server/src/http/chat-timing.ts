/** How long a Chat turn may take, runs on after the reader of its stream left, and waits for one that takes nothing. */
export interface ChatTiming {
  readonly turnMs: number;
  readonly graceMs: number;
  readonly stuckMs: number;
}

export const chatTiming: ChatTiming = { turnMs: 300_000, graceMs: 10_000, stuckMs: 30_000 };
