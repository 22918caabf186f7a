/** As it may stand in a header, and in a sentence: bounded, and on one line. */
export const oneLine = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .slice(0, 200)
    .toWellFormed();
