import { functionTerms } from './function-words.ts';
import { termsOf } from './terms.ts';

const latin = /^\p{Script=Latin}{3,}$/u;
const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue' };

/**
 * Terms that stand for the same words as those of a query: in the other number, where `stem` leaves the two apart, and
 * with the umlauts of German spelled otherwise.
 */
export function otherFormsOf(query: string, terms: ReadonlySet<string>): ReadonlySet<string> {
  const spelled = query.normalize('NFC').replaceAll(/[äöü]/gi, (letter) => umlauts[letter] ?? letter);
  const others = [...terms].flatMap((term) =>
    latin.test(term) && !functionTerms().has(term) ? [...otherNumbers(term), withoutE(term)] : [],
  );
  const found = [...others, ...[...new Set(termsOf(spelled))].slice(0, terms.size)];
  return new Set(found.filter((term) => !terms.has(term)));
}

/** Of words that `stem` does not cut, or cuts only once: days and day, addresses and address. */
const otherNumbers = (term: string): readonly string[] =>
  term.endsWith('s') ? [`${term}s`, term.slice(0, -1)] : [`${term}s`];

const withoutE = (term: string): string => term.replaceAll(/(?<=[aou])e/g, '');
