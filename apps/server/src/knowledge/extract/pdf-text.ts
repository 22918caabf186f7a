import { getDocumentProxy } from 'unpdf';
import { DocumentProblem } from './document-problem.ts';
import type { Extracted } from './extracted.ts';
import { languageTag } from './parse-page.ts';

const maxPages = 2_000;
/** Characters of one document, as many as are kept of it. */
const maxText = 2_000_000;
const maxTitle = 300;

/** The text of a PDF, page by page, each under a heading. Throws `DocumentProblem`. */
export async function pdfText(bytes: Uint8Array): Promise<Extracted> {
  const document = await open(bytes);
  try {
    const { info } = (await document.getMetadata()) as { info?: { Title?: unknown; Language?: unknown } };
    const pages: string[] = [];
    let length = 0;
    for (let number = 1; number <= Math.min(document.numPages, maxPages) && length < maxText; number += 1) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
      page.cleanup();
      if (text.trim() === '') continue;
      pages.push(`## Page ${number}\n\n${wholeWords(text.trim())}`);
      length += text.length;
    }
    if (pages.length === 0)
      throw new DocumentProblem(
        'There is no text in it: its pages may be pictures, as of a scanner. Have their text recognised first.',
      );
    const title = typeof info?.Title === 'string' ? info.Title.trim().slice(0, maxTitle).toWellFormed() : '';
    const language = typeof info?.Language === 'string' ? languageTag(info.Language) : null;
    return { title, language, text: pages.join('\n\n'), links: [] };
  } finally {
    await document.cleanup();
  }
}

/** A word that is broken at the end of a line stands in one line. Its hyphen stays: it may be the word's own. */
const wholeWords = (text: string): string =>
  text.replaceAll('\u00AD\n', '').replaceAll(/(?<=\p{L}[-\u2010])\n(?=\p{L})/gu, '');

async function open(bytes: Uint8Array) {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException')
      throw new DocumentProblem('It has a password. Save it without one, and send it again.');
    throw error;
  }
}
