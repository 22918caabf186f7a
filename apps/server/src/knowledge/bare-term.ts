/** Letters that must be left of a word. */
const fewest = '(?=.{3})';
const arabic = /^[\p{Script=Arabic}\p{M}\u0640]+$/u;
const hebrew = /^[\p{Script=Hebrew}\p{M}]+$/u;
/** What nobody writes but in verse and for learners, and what only stretches a word. */
const arabicSigns = /[\u064B-\u0652\u0670\u0640]/g;
const hebrewSigns = /\p{M}/gu;
/** The article, with `and`, `in`, `like`, `so` and `to` before it, or `and` alone. */
const arabicBeginning = new RegExp(`^(?:و?(?:ال|بال|كال|فال|لل)|و)${fewest}`);
const arabicEnding = /(?<=.{3})(?:ها|ان|ات|ون|ين|يه|[هي])$/;
/** The article and the words of one letter that stand before others, three at most. */
const hebrewBeginning = new RegExp(`^[והבלכמש]{1,3}${fewest}`);
const hebrewEnding = /(?<=.{3})(?:ים|ות|[הית])$/;
/** Letters that are written in several ways: by many people, and at the end of a word. */
const sameLetters = new Map([
  ...Array.from('أإآٱ', (letter) => [letter, 'ا'] as const),
  ['ى', 'ي'],
  ['ة', 'ه'],
  ...Array.from('םןץףך', (letter, index) => [letter, 'מנצפכ'[index]!] as const),
]);
const several = new RegExp(`[${[...sameLetters.keys()].join('')}]`, 'g');

/**
 * A term of Arabic or Hebrew, where articles and small words are written together with the word behind them, without
 * those and without its ending; null: it has none. It need not be a word, as with `stem`.
 */
function bareTerm(term: string): string | null {
  const bare = arabic.test(term)
    ? sameSpelling(term.replaceAll(arabicSigns, '')).replace(arabicBeginning, '').replace(arabicEnding, '')
    : hebrew.test(term)
      ? sameSpelling(term.replaceAll(hebrewSigns, '').replace(hebrewBeginning, '').replace(hebrewEnding, ''))
      : term;
  return bare === term || bare === '' ? null : bare;
}

const sameSpelling = (word: string): string =>
  word.replaceAll(several, (letter) => sameLetters.get(letter) ?? letter);

/** Terms, and behind each its bare one: what passages were indexed by before there were any stays found by the term. */
export const withBareTerms = (terms: readonly string[]): readonly string[] =>
  terms.flatMap((term) => {
    const bare = bareTerm(term);
    return bare === null ? [term] : [term, bare];
  });
