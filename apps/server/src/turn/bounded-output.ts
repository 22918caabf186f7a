import { maxOutputBytes } from '@parley/protocol/bounds';
import { cutToJsonBytes } from './json-bytes.ts';

/**
 * A result as an event of the log can hold it. One that is too large becomes a text: its beginning (of anything but a
 * text, that of its JSON), and how many characters it had.
 */
export function boundedOutput(output: unknown): unknown {
  const json = JSON.stringify(output ?? null);
  if (Buffer.byteLength(json) <= maxOutputBytes) return output;
  const text = typeof output === 'string' ? output.toWellFormed() : json;
  const note = `\n[Cut here: the result has ${text.length} characters.]`;
  return cutToJsonBytes(text, maxOutputBytes - note.length - 3) + note;
}
