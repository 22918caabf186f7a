import type { KnowledgeStore, NewPage, NewPassage } from '../store/knowledge-store.ts';
import { splitPassages } from './split-passages.ts';
import { termsOf } from './terms.ts';

/** Passages that one transaction writes: a longer document is kept in parts. */
const passagesPerPage = 20;
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

/** Cuts a document into passages and stores them with their terms; other work runs between two parts. */
export async function indexDocument(
  store: KnowledgeStore,
  source: Pick<NewPage, 'sourceId' | 'agentId' | 'reading'>,
  { text, ...document }: Document,
): Promise<Indexed> {
  const found = splitPassages(text.slice(0, maxDocumentLength).replaceAll('\0', ''));
  for (let start = 0; start < found.length; start += passagesPerPage) {
    const place = start === 0 ? document.place : `${document.place} ${start / passagesPerPage + 1}`;
    const passages = found.slice(start, start + passagesPerPage).map((passage): NewPassage => {
      const headings = passage.headings.filter((heading) => heading !== document.title);
      const title = [document.title, ...headings].join(' › ');
      // What a passage is about is said by its titles, so they count twice.
      const titleTerms = termsOf(title);
      const terms = [...titleTerms, ...titleTerms, ...termsOf(passage.text)];
      return { title, text: passage.text, terms };
    });
    if (!(await store.savePage({ ...source, ...document, place, passages })))
      return { passages: 0, gone: true };
  }
  return { passages: found.length, gone: false };
}
