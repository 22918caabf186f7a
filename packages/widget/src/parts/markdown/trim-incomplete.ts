import { fence, isTable } from './block.ts';

/** A line no longer than this can be nothing but a marker. */
const longestMarker = 40;

/**
 * The last block of a text that is still being written, without what cannot be shown as it will look yet:
 * a marker without its text, the head of a table before its delimiter row.
 */
export function trimIncomplete(source: string): string {
  const lines = source.split('\n');
  const last = lines.at(-1)!;
  const opening = fence.exec(lines[0]!);
  if (opening) {
    const closing = lines.length > 1 && last !== '' && opening[1]!.startsWith(last.trim());
    return closing ? lines.slice(0, -1).join('\n') : source;
  }
  if (isTable(lines, 0)) return source;
  if (isMarker(last)) lines.pop();
  const heads = lines.at(-1)?.trimStart().startsWith('|') && !lines.at(-2)?.trimStart().startsWith('|');
  if (heads && (lines.length < 2 || !isTable(lines, lines.length - 2))) lines.pop();
  return lines.join('\n');
}

function isMarker(line: string): boolean {
  if (line.length > longestMarker) return false;
  const text = line.replaceAll(/[>\s]/g, '');
  return /^(?:[-*+]?(?:\[[ xX]?\]?)?|\d{1,9}[.)]?|#{1,6}|[|:=_*~`-]+)$/.test(text);
}
