/**
 * Bytes that are taken for one token. English has more than four, Chinese and Japanese have three to a character, which
 * is about a token: with three, words of any language come out at no less than they take, or nearly.
 */
export const bytesPerToken = 3;

/** About how many tokens a text takes. */
export function textTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}
