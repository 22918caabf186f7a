import type { SourceCreate } from '@parley/protocol/settings/source';

/** What stands in the form, of every kind: who changes their mind about the kind loses nothing. */
export const sourceEntries = { kind: 'website', url: '', question: '', answer: '', title: '', text: '' };
export type SourceEntries = typeof sourceEntries;

type Create<Source> = Source extends unknown ? Omit<Source, 'agentId'> : never;
type NewSource = Create<SourceCreate>;

/** Characters of a name. */
const maxName = 80;

export const nameOfQuestion = (question: string): string => question.trim().slice(0, maxName);

/** A website is named after its host, a question by itself. */
export function sourceOf({ kind, url, question, answer, title, text }: SourceEntries): NewSource {
  if (kind === 'faq')
    return {
      kind,
      name: nameOfQuestion(question),
      entries: [{ question: question.trim(), answer: answer.trim() }],
    };
  if (kind === 'text') return { kind, name: title.trim(), text };
  const address = addressOf(url);
  return { kind: 'website', name: address.hostname.slice(0, maxName), url: address.href, maxPages: 30 };
}

/** By its field, what is wrong with what was entered. */
export function sourceProblems({ kind, url, question, answer, title, text }: SourceEntries) {
  const problems: Partial<Record<keyof SourceEntries, string>> = {};
  if (kind === 'faq' && question.trim() === '') problems.question = 'Enter what visitors ask.';
  if (kind === 'faq' && answer.trim() === '') problems.answer = 'Enter what they are told.';
  if (kind === 'text' && title.trim() === '') problems.title = 'Enter a title.';
  if (kind === 'text' && text.trim() === '') problems.text = 'Enter the text.';
  if (kind === 'website' && !isAddress(url))
    problems.url = 'Enter an address such as https://www.example.com.';
  return problems;
}

/** Which field of the form shows what the service says about a field of the source. */
export const sourceField = (path: string): string =>
  path === 'name' ? 'title' : (/^entries\.\d+\.(question|answer)$/.exec(path)?.[1] ?? path);

/** Who types an address leaves out how it is reached. */
const addressOf = (url: string): URL =>
  new URL(/^https?:\/\//i.test(url.trim()) ? url.trim() : `https://${url.trim()}`);

export const hrefOf = (url: string): string => addressOf(url).href;

export function isAddress(url: string): boolean {
  try {
    return /\.|^localhost$|^\[/.test(addressOf(url).hostname);
  } catch {
    return false;
  }
}
