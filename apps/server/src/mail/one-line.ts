/** As it may stand in a header, and in a sentence: on one line, of so many characters at most. */
export const oneLine = (text: string, most = 200): string =>
  text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .slice(0, most)
    .toWellFormed();
