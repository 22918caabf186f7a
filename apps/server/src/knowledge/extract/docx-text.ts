import mammoth from 'mammoth';
import { DocumentProblem } from './document-problem.ts';
import type { Extracted } from './extracted.ts';
import { inflatedBytes } from './inflated-bytes.ts';
import { markdownOf } from './markdown-of.ts';
import { parsePage, tidy } from './parse-page.ts';

/** Bytes of all parts of a document once they are inflated. */
const maxInflated = 64 * 1_024 * 1_024;
const maxTitle = 300;

/** The text of a Word document. Throws `DocumentProblem`. */
export async function docxText(bytes: Uint8Array): Promise<Extracted> {
  const parts = inflatedBytes(bytes, maxInflated);
  if (parts === 'too-large')
    throw new DocumentProblem(
      'It unpacks to more than 64 MB, which no text needs. Send it without its pictures.',
    );
  if (parts === 'damaged') throw new DocumentProblem('It could not be read: it is damaged.');
  if (!parts.has('word/document.xml'))
    throw new DocumentProblem('It is no Word document. Send Markdown, text, HTML, PDF or DOCX.');
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(bytes) },
    // Its pictures say nothing here.
    { convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })) },
  );
  const { body } = parsePage(value);
  const title = tidy(body.querySelector('h1')?.textContent ?? '');
  return {
    title: title.slice(0, maxTitle).toWellFormed(),
    language: null,
    text: markdownOf(body),
    links: [],
  };
}
