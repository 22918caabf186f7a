/** How many remarks a reading has left. Of more than a reading keeps, its last sentence says how many more there were. */
export function remarksOf(problems: readonly string[]): number {
  const more = /^And (\d+) more\.$/.exec(problems.at(-1) ?? '')?.[1];
  return more === undefined ? problems.length : problems.length - 1 + Number(more);
}
