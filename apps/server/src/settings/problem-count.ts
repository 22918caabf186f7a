/** The last sentence of a reading that has more to tell than it keeps. It is stored, also by earlier versions. */
export const moreProblems = (count: number): string => `And ${count} more.`;

/** How many problems a reading has met, of which it keeps the first. */
export function problemCount(problems: readonly string[]): number {
  const more = /^And (\d+) more\.$/.exec(problems.at(-1) ?? '')?.[1];
  return more === undefined ? problems.length : problems.length - 1 + Number(more);
}
