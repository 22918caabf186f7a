/** How long a Chat turn may take, and runs on after the reader of its stream left. */
export interface ChatTiming {
  readonly turnMs: number;
  readonly graceMs: number;
}

export const chatTiming: ChatTiming = { turnMs: 300_000, graceMs: 10_000 };
