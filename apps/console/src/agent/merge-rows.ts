import { type FaqEntry, type FaqRow, isSame, newRow, type RowProblems, rowsOf } from './faq-rows.ts';

interface MergedRows {
  /** Of what is stored by now, with what was changed in the form. */
  readonly rows: readonly FaqRow[];
  /** What somebody else has changed in another way. */
  readonly overtaken: RowProblems;
}

/** Makes the changes of a form, which began with `before`, to what others have made of it `now`. */
export function mergeRows(
  before: readonly FaqEntry[],
  rows: readonly FaqRow[],
  now: readonly FaqEntry[],
): MergedRows {
  const places = placesOf(before, now);
  const merged = new Map(rowsOf(now).map((row, place) => [place, row]));
  const overtaken: Record<string, RowProblems[string]> = {};
  const added = rows.filter(({ id }) => before[Number(id)] === undefined);
  for (const [place, entry] of before.entries()) {
    const row = rows.find(({ id }) => id === String(place));
    const at = places[place];
    const stored = at === undefined ? undefined : now[at];
    if (row && isSame(row, entry)) continue;
    if (at === undefined || stored === undefined) {
      // Who corrects what somebody else removes wants it to be known.
      if (row) added.push({ ...row, id: newRow([...rows, ...added]).id });
    } else if (row) {
      merged.set(at, { ...row, id: String(at) });
      if (!isSame(stored, entry) && !isSame(stored, row)) overtaken[at] = problemsOf(entry, stored);
    } else if (isSame(stored, entry)) merged.delete(at);
  }
  return { rows: [...merged.values(), ...added], overtaken };
}

/** Where each entry stands by now: as it was, or else with its question or its answer. */
function placesOf(before: readonly FaqEntry[], now: readonly FaqEntry[]): readonly (number | undefined)[] {
  const places: (number | undefined)[] = before.map(() => undefined);
  const taken = new Set<number>();
  for (const isAlike of [isSame, hasSameQuestion, hasSameAnswer])
    for (const [place, entry] of before.entries()) {
      if (places[place] !== undefined) continue;
      const found = now.findIndex((each, at) => !taken.has(at) && isAlike(each, entry));
      if (found === -1) continue;
      places[place] = found;
      taken.add(found);
    }
  return places;
}

const hasSameQuestion = (one: FaqEntry, other: FaqEntry): boolean => one.question === other.question;
const hasSameAnswer = (one: FaqEntry, other: FaqEntry): boolean => one.answer === other.answer;

const problemsOf = (before: FaqEntry, now: FaqEntry): RowProblems[string] => ({
  ...(now.question !== before.question && { question: overtakenBy(now.question) }),
  ...(now.answer !== before.answer && { answer: overtakenBy(now.answer) }),
});

/** What stands at a field that somebody else has changed in another way. */
export const overtakenBy = (stored: string): string =>
  `Somebody else has made it “${stored}” meanwhile. Save again to replace that.`;
