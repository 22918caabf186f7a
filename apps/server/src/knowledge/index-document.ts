import type { KnowledgeStore, NewPage, NewPassage } from '../store/knowledge-store.ts';
import { splitPassages } from './split-passages.ts';
import { withBareTerms } from './bare-term.ts';
import { compoundTermsOf, termsOf } from './terms.ts';

/** Passages that one transaction writes: a longer document is kept in parts. */
const passagesPerPage = 20;

/** Whether something is kept there of a website that is no first part of a page: an address has no space. */
export const isFurtherPart = (place: string): boolean => place.includes(' ');

/** Characters of one document; what comes behind them is not read. */
const maxDocumentLength = 2_000_000;

/** What was read at one place. */
export interface Document extends Pick<NewPage, 'place' | 'title' | 'address' | 'language' | 'version'> {
  /** Markdown, or plain text. */
  readonly text: string;
}

export interface Indexed {
  readonly passages: number;
  /** The source is gone. */
  readonly gone: boolean;
}

/**
 * Cuts a document into passages and stores them with their terms; other work runs between two parts. The first part is
 * stored last: its version is what the place is asked with, and says that the others are there.
 */
export async function indexDocument(
  store: Pick<KnowledgeStore, 'savePage'>,
  source: Pick<NewPage, 'sourceId' | 'agentId' | 'reading'>,
  { text, ...document }: Document,
): Promise<Indexed> {
  const found = splitPassages(text.slice(0, maxDocumentLength).replaceAll('\0', ''));
  const parts = Math.ceil(found.length / passagesPerPage);
  for (let stored = 0; stored < parts; stored += 1) {
    const part = (stored + 1) % parts;
    const place = part === 0 ? document.place : `${document.place} ${part + 1}`;
    const start = part * passagesPerPage;
    const passages = found.slice(start, start + passagesPerPage).map((passage): NewPassage => {
      const headings = passage.headings.filter((heading) => heading !== document.title);
      const title = [document.title, ...headings].join(' › ');
      // What a passage is about is said by its titles, so they count twice.
      const titleTerms = allTermsOf(title);
      const terms = [...titleTerms, ...titleTerms, ...allTermsOf(passage.text)];
      return { title, text: passage.text, terms: withBareTerms(terms) };
    });
    if (!(await store.savePage({ ...source, ...document, place, passages })))
      return { passages: 0, gone: true };
  }
  return { passages: found.length, gone: false };
}

const allTermsOf = (text: string): readonly string[] => [...termsOf(text), ...compoundTermsOf(text)];
