const frameMs = 1_000 / 60;

export interface Frames {
  /** How many of the frames that were due did not come. */
  readonly droppedShare: number;
  readonly worstMs: number;
}

/**
 * What the times say at which a page's frame callbacks ran. 60 a second are due for as long as it is measured: the
 * callbacks are the page's own and run in every frame that its thread is free for, whether a widget draws in it or not.
 */
export function judgeFrames(times: readonly number[]): Frames {
  const gaps = times.slice(1).map((time, index) => time - times[index]!);
  const due = gaps.reduce((sum, gap) => sum + Math.round(gap / frameMs), 0);
  return { droppedShare: 1 - gaps.length / due, worstMs: Math.max(...gaps) };
}
