const frameMs = 1_000 / 60;

export interface Frames {
  /** How many of the frames that were due did not come. */
  readonly droppedShare: number;
  readonly worstMs: number;
}

/** What the times of a page's frames say. */
export function judgeFrames(times: readonly number[]): Frames {
  const gaps = times.slice(1).map((time, index) => time - times[index]!);
  const due = gaps.reduce((sum, gap) => sum + Math.round(gap / frameMs), 0);
  return { droppedShare: 1 - gaps.length / due, worstMs: Math.max(...gaps) };
}
