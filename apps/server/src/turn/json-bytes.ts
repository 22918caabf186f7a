/** Bytes that a text takes inside a JSON string. */
export function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}

/** The longest beginning of a text that takes at most so many bytes inside a JSON string; no character is halved. */
export function cutToJsonBytes(text: string, bytes: number): string {
  // A character takes at least one byte: what is longer than that need not be measured.
  let kept = text.slice(0, bytes);
  if (jsonBytes(kept) > bytes) {
    let [fits, tooLong] = [0, kept.length];
    while (tooLong - fits > 1) {
      const middle = (fits + tooLong) >> 1;
      if (jsonBytes(kept.slice(0, middle)) <= bytes) fits = middle;
      else tooLong = middle;
    }
    kept = kept.slice(0, fits);
  }
  return kept.length < text.length && /[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept;
}
