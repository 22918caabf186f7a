/** Bytes that a text takes inside a JSON string. */
export function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}

/** The longest beginning of a text that takes at most so many bytes inside a JSON string; no character is halved. */
export function cutToJsonBytes(text: string, bytes: number): string {
  // A character takes at least one byte: what lies beyond need not be measured.
  let [fits, tooLong] = [0, Math.min(text.length, bytes) + 1];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (jsonBytes(beginning(text, middle)) <= bytes) fits = middle;
    else tooLong = middle;
  }
  return beginning(text, fits);
}

function beginning(text: string, length: number): string {
  const cut = text.slice(0, length);
  return cut.length < text.length && /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
