import { blockEnd } from './block.ts';

/** The source of one top-level block, and the character it begins at. */
export type Piece = { source: string; offset: number };
export type Split = { source: string; pieces: Piece[] };

/** How many characters of an answer are shown. */
export const maximumLength = 200_000;

/**
 * Cuts a text into top-level blocks. Of a text that only grew, every piece but the last is kept,
 * so following a stream costs what its tail costs.
 */
export function splitBlocks(text: string, known?: Split): Split {
  const source = text.slice(0, maximumLength).replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd');
  const last = known?.pieces.at(-1);
  const kept = known && last && source.startsWith(known.source) ? known.pieces.slice(0, -1) : [];
  const start = kept.length > 0 ? last!.offset : 0;
  const pieces = [...kept];
  const lines = source.slice(start).split('\n');
  let offset = start;
  for (let at = 0; at < lines.length;) {
    const end = blockEnd(lines, at);
    if (end > at) {
      const piece = lines.slice(at, end).join('\n');
      pieces.push({ source: piece, offset });
      offset += piece.length + 1;
      at = end;
    } else {
      offset += lines[at]!.length + 1;
      at++;
    }
  }
  return { source, pieces };
}
