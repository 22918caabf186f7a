import { namedEncoding } from '../../egress/named-encoding.ts';
import { DocumentProblem } from './document-problem.ts';

/** Of all characters, those that no text has, beyond which it is none. */
const controlShare = 0.02;

/** The text of bytes, in the encoding that they or their media type name; else in UTF-8. Throws `DocumentProblem`. */
export function decodeText(bytes: Uint8Array, mediaType: string): string {
  const text = decoded(bytes, namedEncoding(bytes, mediaType) ?? 'utf-8');
  const controls = text.match(/[^\P{Cc}\s]|\ufffd/gu)?.length ?? 0;
  if (controls > text.length * controlShare)
    throw new DocumentProblem('It is no text. Send Markdown, text, HTML, PDF or DOCX.');
  return text.replaceAll('\0', '');
}

function decoded(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new DocumentProblem(
      encoding.toLowerCase() === 'utf-8'
        ? 'It is not in UTF-8, and does not say in which encoding it is. Save it as UTF-8, and send it again.'
        : `It is not in ${encoding}, as it says it is. Save it as UTF-8, and send it again.`,
    );
  }
}
