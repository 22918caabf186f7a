import type { SourceView } from '@parley/protocol/settings/source';

export type FaqEntry = Extract<SourceView, { kind: 'faq' }>['entries'][number];

/** A question in the form. Its id is its place in what is stored, or no number: it is a new one. */
export interface FaqRow {
  readonly id: string;
  readonly question: string;
  readonly answer: string;
}

export type RowProblems = Readonly<Record<string, Partial<Record<'question' | 'answer', string>>>>;

export const rowsOf = (entries: readonly FaqEntry[]): FaqRow[] =>
  entries.map(({ question, answer }, place) => ({ id: String(place), question, answer }));

/** What the rows say. What they do not show of a question that is stored stays. */
export const entriesOf = (rows: readonly FaqRow[], stored: readonly FaqEntry[]): FaqEntry[] =>
  rows.map((row) => {
    const entry = stored[Number(row.id)];
    if (entry && isSame(row, entry)) return entry;
    return { ...entry, question: row.question.trim(), answer: row.answer.trim() };
  });

export function newRow(rows: readonly FaqRow[]): FaqRow {
  const numbers = rows.map(({ id }) => Number(/^new (\d+)$/.exec(id)?.[1] ?? 0));
  return { id: `new ${Math.max(0, ...numbers) + 1}`, question: '', answer: '' };
}

export function rowProblems(rows: readonly FaqRow[]): RowProblems {
  const wrong = rows.filter(({ question, answer }) => question.trim() === '' || answer.trim() === '');
  return Object.fromEntries(
    wrong.map(({ id, question, answer }) => [
      id,
      {
        ...(question.trim() === '' && { question: 'Enter what visitors ask.' }),
        ...(answer.trim() === '' && { answer: 'Enter what they are told.' }),
      },
    ]),
  );
}

type Said = Pick<FaqEntry, 'question' | 'answer'>;

export const isSame = (one: Said, other: Said): boolean =>
  one.question.trim() === other.question.trim() && one.answer.trim() === other.answer.trim();
