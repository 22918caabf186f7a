/** Characters of one delta in the log: at six bytes each, as JSON, an event stays within its bound. */
export const maxDeltaLength = 32_768;

/** A delta in pieces that an event can hold; no character is halved. */
export function deltaPieces(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + maxDeltaLength, text.length);
    if (to < text.length && /[\uD800-\uDBFF]/.test(text.charAt(to - 1))) to -= 1;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}
