/** `text` in pieces of one word with the white space that follows it. The pieces joined are the text. */
export const words = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? [];

export const countWords = (text: string): number => {
  let count = 0;
  for (const _ of text.matchAll(/\S+/g)) count += 1;
  return count;
};
