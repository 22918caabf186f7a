import { stem } from './stem.ts';

/** Characters of a term; what is longer is cut, and found by what it begins with. */
const maxLength = 40;
/** Parts of `a.long.name` beyond which the whole is no word of its own. */
const maxParts = 6;
/** Characters that a text may gain when it is normalised: some of them stand for eighteen. */
const maxGain = 1_000;
/** Marks behind each other beyond those of any language (UAX #15): normalising takes the square of their number. */
const stacked = /(?<=\p{M}{30})\p{M}+/gu;
/** Words whose terms are kept: a text says the same ones again and again. */
const maxKnown = 50_000;

/** Of scripts that set no space between two words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/v;
/** The words of a text without any of those, found without asking of each character which script it is of. */
const spacedWords = /[\p{L}\p{N}\p{M}]+(?:['’._][\p{L}\p{N}\p{M}]+)*/gu;
/** Runs of Chinese and Japanese, of scripts without spaces whose words a dictionary knows, and words of all others. */
const runs = new RegExp(
  [
    String.raw`(?<pairs>[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+)`,
    String.raw`(?<dictionary>[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+)`,
    String.raw`(?<word>@+(?:['’._]@+)*)`.replaceAll(
      '@',
      String.raw`[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]]`,
    ),
  ].join('|'),
  'gv',
);
const segmenter = new Intl.Segmenter('th', { granularity: 'word' });
const parts = /[\p{L}\p{N}\p{M}]+/gu;
/** `readFile` and `HTTPServer` are two words each. */
const innerBorder = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const latin = /^[\p{Script=Latin}\p{N}]+$/u;
const hyphens = /[-\u2010]/gu;
/** Looked for from the start of a word only: from each of its letters it takes time with the square of what has no hyphen. */
const hyphenated = /(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}\p{M}]+(?:[-\u2010][\p{L}\p{N}\p{M}]+)+/gu;
const grouped = /(?<![\p{N},.])\p{N}{1,3}(?:,\p{N}{3})+(?![\p{N},])/gu;
const marks = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu;

const known = new Map<string, readonly string[]>();

/**
 * The terms of a text, as many times as it says them: what passages are indexed by and found by, in every engine. Case
 * and diacritics do not count. Chinese and Japanese are found by pairs of characters, since a dictionary cuts the same
 * word otherwise in another sentence; Thai by the words of a dictionary.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  const normalized = normalize(text);
  if (!unspaced.test(normalized)) {
    for (const word of normalized.match(spacedWords) ?? []) terms.push(...wordTerms(word));
    return terms;
  }
  for (const { groups } of normalized.matchAll(runs)) {
    if (groups?.['word'] !== undefined) terms.push(...wordTerms(groups['word']));
    else if (groups?.['pairs'] !== undefined) terms.push(...pairTerms(fold(groups['pairs'])));
    else terms.push(...dictionaryTerms(groups?.['dictionary'] ?? ''));
  }
  return terms;
}

/** Without the hyphens that stand where a word may be broken, and are seen only there. */
function normalize(text: string): string {
  return text
    .replaceAll('\u00AD', '')
    .replaceAll(stacked, '')
    .normalize('NFKC')
    .slice(0, text.length + maxGain);
}

/** The whole of each word with hyphens, which others write without, as in e-mail, and of each number with commas. */
export function compoundTermsOf(text: string): string[] {
  const normalized = normalize(text);
  const words = (normalized.match(hyphenated) ?? []).filter(
    (word) => word.split(hyphens).length <= maxParts && /\p{L}/u.test(word) && !unspaced.test(word),
  );
  return [...words, ...(normalized.match(grouped) ?? [])].map((word) =>
    termOf(word.replaceAll(hyphens, '').replaceAll(',', '')),
  );
}

/** A word, and its parts where it is put together: `node.js`, `max_size`, `readFile`. */
function wordTerms(word: string): readonly string[] {
  const earlier = known.get(word);
  if (earlier) return earlier;
  const pieces = (word.match(parts) ?? []).flatMap((part) => part.split(innerBorder));
  const whole = pieces.length > 1 && pieces.length <= maxParts ? [pieces.join('')] : [];
  const terms = [...pieces, ...whole].map(termOf).filter((term) => term !== '');
  if (known.size >= maxKnown) known.clear();
  if (word.length <= maxLength) known.set(word, terms);
  return terms;
}

function termOf(word: string): string {
  const folded = fold(word);
  const term = latin.test(folded) ? stem(folded) : folded;
  return term.slice(0, maxLength).toWellFormed();
}

function pairTerms(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => characters[index]! + character);
}

function dictionaryTerms(run: string): string[] {
  return [...segmenter.segment(run)].map(({ segment }) => termOf(segment));
}

/** Lower case without diacritics; the marks of scripts in which they are letters stay. */
function fold(word: string): string {
  return word.normalize('NFKD').replaceAll(marks, '').toLowerCase().replaceAll('ß', 'ss').normalize('NFC');
}
