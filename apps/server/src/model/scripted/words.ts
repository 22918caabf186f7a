/** `text` in pieces of one word with the white space that follows it. The pieces joined are the text. */
export const words = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? [];

export const countWords = (text: string): number => {
  let count = 0;
  let inWord = false;
  for (let index = 0; index < text.length; index++) {
    const space = text.charCodeAt(index) <= 32;
    if (!space && !inWord) count += 1;
    inWord = !space;
  }
  return count;
};
