import type { SourcePatch, SourceView } from '@parley/protocol/settings/source';
import { tagProblem } from '../words/language-entries.ts';
import { entriesOf, type FaqRow, rowProblems, type RowProblems, rowsOf } from './faq-rows.ts';
import { mergeRows, overtakenBy } from './merge-rows.ts';
import { hrefOf, isAddress } from './source-entries.ts';

/** What stands in the form of a source that is there; `faq` are its rows. */
export type SourceChanges = Record<keyof typeof noChanges, string>;

const noChanges = { title: '', language: '', url: '', maxPages: '', text: '', faq: '' };
const maxPagesOfWebsite = 5_000;

export function changesOf(source: SourceView): SourceChanges {
  const { name, language = '' } = source;
  const common = { ...noChanges, title: name, language };
  if (source.kind === 'website') return { ...common, url: source.url, maxPages: String(source.maxPages) };
  if (source.kind === 'text') return { ...common, text: source.text, url: source.url ?? '' };
  return source.kind === 'faq' ? { ...common, faq: JSON.stringify(rowsOf(source.entries)) } : common;
}

export const rowsIn = ({ faq }: SourceChanges): FaqRow[] => (faq === '' ? [] : (JSON.parse(faq) as FaqRow[]));

/** By its field, what is wrong with what was entered. */
export function changeProblems(kind: SourceView['kind'], changes: SourceChanges) {
  const { title, language, url, maxPages, text } = changes;
  const problems: Partial<SourceChanges> = {};
  if (title.trim() === '') problems.title = kind === 'text' ? 'Enter a title.' : 'Enter a name.';
  const wrongTag = language.trim() === '' ? null : tagProblem(language.trim(), {});
  if (wrongTag !== null) problems.language = wrongTag;
  if ((kind === 'website' || url.trim() !== '') && !isAddress(url))
    problems.url = 'Enter an address such as https://www.example.com.';
  if (kind === 'website' && !isNumberOfPages(maxPages))
    problems.maxPages = 'Enter a whole number from 1 to 5,000.';
  if (kind === 'text' && text.trim() === '') problems.text = 'Enter the text.';
  if (Object.keys(rowProblems(rowsIn(changes))).length > 0)
    problems.faq = 'A question or an answer is missing.';
  return problems;
}

const isNumberOfPages = (text: string): boolean =>
  /^\d{1,4}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= maxPagesOfWebsite;

/** Which field of the form shows what the service says about a field of the source. */
export const changeField = (path: string): string =>
  path === 'name' ? 'title' : path.startsWith('entries') ? 'faq' : path;

export interface MergedChanges {
  /** What the form holds when it goes on from what is stored by now. */
  readonly changes: SourceChanges;
  readonly patch: SourcePatch;
  /** By its field, what somebody else has changed in another way. */
  readonly overtaken: Partial<SourceChanges>;
  readonly overtakenRows: RowProblems;
}

/** Makes the changes of a form, which began with `before`, to what others have made of the source `now`. */
export function mergeChanges(before: SourceView, changes: SourceChanges, now: SourceView): MergedChanges {
  const [was, is] = [changesOf(before), changesOf(now)];
  const overtaken: Partial<SourceChanges> = {};
  const merged = { ...is };
  for (const field of ['title', 'language', 'url', 'maxPages', 'text'] as const) {
    const entered = changes[field];
    if (entered === was[field]) continue;
    merged[field] = entered;
    if (is[field] !== was[field] && is[field] !== entered)
      overtaken[field] =
        field === 'text'
          ? 'Somebody else has changed the text meanwhile. Save again to replace theirs, which is below.'
          : overtakenBy(is[field]);
  }
  const isFaq = before.kind === 'faq' && now.kind === 'faq';
  const { rows, overtaken: overtakenRows } = isFaq
    ? mergeRows(before.entries, rowsIn(changes), now.entries)
    : { rows: [], overtaken: {} };
  if (isFaq) merged.faq = JSON.stringify(rows);
  if (Object.keys(overtakenRows).length > 0)
    overtaken.faq = 'Somebody else has changed an answer that you have changed, too.';
  return { changes: merged, patch: patchOf(merged, now), overtaken, overtakenRows };
}

function patchOf(changes: SourceChanges, now: SourceView): SourcePatch {
  const is = changesOf(now);
  const { title, language, url, maxPages, text, faq } = changes;
  return {
    ...(title.trim() !== is.title && { name: title.trim() }),
    ...(language.trim() !== is.language && { language: language.trim() || null }),
    ...(url !== is.url && { url: url.trim() === '' ? null : hrefOf(url) }),
    ...(maxPages !== is.maxPages && { maxPages: Number(maxPages) }),
    ...(text !== is.text && { text }),
    ...(faq !== is.faq && now.kind === 'faq' && { entries: entriesOf(rowsIn(changes), now.entries) }),
  } as SourcePatch;
}
