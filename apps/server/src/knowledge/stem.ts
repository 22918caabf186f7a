/** Endings of number, case and tense in English, German and the Romance languages, longest first. */
const endings = [
  'ungen',
  'ingen',
  'ings',
  'ung',
  'ing',
  'ies',
  'ern',
  'est',
  'end',
  'ed',
  'en',
  'er',
  'em',
  'es',
  'ly',
  'os',
  'as',
  'e',
  's',
  'n',
  'y',
  'o',
  'a',
];
const shortest = 4;

/**
 * A word without its ending, where enough of it is left. It need not be a word: what is indexed and what is looked for
 * are cut alike.
 */
export function stem(word: string): string {
  if (word.length <= shortest) return word;
  const ending = endings.find((each) => word.endsWith(each) && word.length - each.length >= shortest);
  return ending === undefined ? word : word.slice(0, -ending.length);
}
