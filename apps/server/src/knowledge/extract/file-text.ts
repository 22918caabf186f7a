import { decodeText } from './decode-text.ts';
import { DocumentProblem } from './document-problem.ts';
import type { Extracted, SourceFileContent } from './extracted.ts';
import { htmlText } from './html-text.ts';

const noText = 'There is no text in it.';
/** Characters of one file; what comes behind them is not kept. */
const maxText = 2_000_000;

/** The text of a file, which is what its first bytes say, whatever it is called. Throws `DocumentProblem`. */
export async function fileText({ filename, mediaType, bytes }: SourceFileContent): Promise<Extracted> {
  const extracted = await read({ filename, mediaType, bytes });
  if (extracted.text.trim() === '') throw new DocumentProblem(noText);
  return { ...extracted, text: extracted.text.slice(0, maxText).toWellFormed() };
}

async function read({ filename, mediaType, bytes }: SourceFileContent): Promise<Extracted> {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1_024));
  if (start.includes('%PDF-')) return (await import('./pdf-text.ts')).pdfText(bytes);
  if (start.startsWith('PK')) return (await import('./docx-text.ts')).docxText(bytes);
  if (start.startsWith('\u00d0\u00cf\u0011\u00e0'))
    throw new DocumentProblem(
      'It is an old Word document, or one with a password. Save it as .docx without a password, and send that.',
    );
  const text = decodeText(bytes, mediaType);
  if (/\.x?html?$/i.test(filename) || /^(?:text\/html|application\/xhtml\+xml)/.test(mediaType))
    return htmlText(text, null);
  return { title: /^#\s+(.{1,200})$/m.exec(text)?.[1]?.trim() ?? '', language: null, text, links: [] };
}
