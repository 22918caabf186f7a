/** The text in at most about `maxBytes` bytes, its beginning and its end, and how much is left out between them. */
export function cutText(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const half = Math.floor(maxBytes / 2);
  const [head, tail] = [bytes.subarray(0, half), bytes.subarray(bytes.length - half)].map((part) =>
    // Characters that were cut through are left out, too.
    part.toString().replaceAll(/^�+|�+$/g, ''),
  );
  return `${head}\n[${bytes.length - 2 * half} bytes are left out here.]\n${tail}`;
}
