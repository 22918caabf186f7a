/** Characters. To judge the citations of so many takes some 15 ms where brackets are opened and never closed. */
const maxLength = 4_000;

/** A text in pieces that are worked on one after the other. No character is cut. */
export function textPieces(text: string): readonly string[] {
  if (text.length <= maxLength) return [text];
  const pieces = [];
  for (let from = 0; from < text.length;) {
    const end = from + maxLength;
    const to = /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end + 1 : end;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

/** Counts what is worked on, so that whatever else is due has its turn in between. */
export class TextPauses {
  #worked = 0;

  /** Whether to let others have their turn now that this piece is done. */
  isDue(piece: string): boolean {
    this.#worked += piece.length;
    if (this.#worked < maxLength) return false;
    this.#worked = 0;
    return true;
  }
}
