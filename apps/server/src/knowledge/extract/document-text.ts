import type { Extracted, ExtractedDocument } from './extracted.ts';
import { htmlText } from './html-text.ts';

/** The text of a document of a known type. */
export async function documentText({ mediaType, content, address }: ExtractedDocument): Promise<Extracted> {
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  if (/^(?:text\/html|application\/xhtml\+xml)$/.test(mediaType)) return htmlText(text, address);
  return { title: '', language: null, text, links: [] };
}
