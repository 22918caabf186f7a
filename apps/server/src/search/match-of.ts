import type { ConversationMatch } from '@parley/protocol/settings/conversation';

/** Characters that are shown of a message, and of them those in front of the words. */
const length = 180;
const lengthBefore = 50;
/** Words of a query that are looked for in it. */
const maxWords = 12;
/** Letters of a word that another form of it begins with, too. */
const stemShare = 0.7;
/** More marks behind each other than any language has: to normalise them takes the square of their number. */
const stacked = /\p{M}{31,}/gu;

/** What belongs to the character before it: marks, the letters of a Korean syllable, and half of a long code. */
const goesOn = /[\p{M}\u1160-\u11FF\uDC00-\uDFFF]/u;

const letter = /[\p{L}\p{N}]/u;

/** Where a message says what was looked for; its beginning, where it says it in another form. */
export function matchOf(message: string, query: string): ConversationMatch {
  const text = decomposed(message).replaceAll(/\s+/gu, ' ').trim();
  const words = (folded(decomposed(query)).match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, maxWords);
  const at = placeOf(words, text);
  const end =
    at === null ? 0 : at + (/^[\p{L}\p{N}\p{M}]{1,40}/u.exec(text.slice(at, at + 80))?.[0].length ?? 0);
  const from = at ?? 0;
  const start = from <= lengthBefore ? 0 : borderAfter(text, from - lengthBefore);
  const isCut = start + length < text.length;
  const last = isCut ? Math.max(end, borderBefore(text, start + length)) : text.length;
  return {
    before: (start > 0 ? '…' : '') + composed(text.slice(start, from)),
    words: composed(text.slice(from, end)),
    after: composed(text.slice(end, last)) + (last < text.length ? '…' : ''),
  };
}

const decomposed = (text: string): string => text.replaceAll(stacked, '').normalize('NFD');
const composed = (text: string): string => text.toWellFormed().normalize('NFC');
/** As long as the text without its marks: of what is decomposed no character has two small ones. */
const folded = (text: string): string => text.replaceAll(/\p{M}/gu, '').toLowerCase();

/** Of the first of the words: rather of one that begins there than of a part of another. */
function placeOf(words: readonly string[], text: string): number | null {
  const within = folded(text);
  const stems = words.map((word) => word.slice(0, Math.max(3, Math.ceil(word.length * stemShare))));
  const first = (places: readonly (number | null)[]) => {
    const known = places.filter((place) => place !== null);
    return known.length > 0 ? Math.min(...known) : null;
  };
  const place =
    first(stems.map((stem) => beginning(stem, within))) ??
    first(stems.map((stem) => (within.includes(stem) ? within.indexOf(stem) : null)));
  return place === null ? null : withMarks(text, place);
}

function beginning(stem: string, text: string): number | null {
  for (let at = text.indexOf(stem); at >= 0; at = text.indexOf(stem, at + 1))
    if (at === 0 || !letter.test(text[at - 1]!)) return at;
  return null;
}

/** The place in a text of which it is known in the text without marks. */
function withMarks(text: string, place: number): number {
  let at = place;
  for (const { index, 0: marks } of text.matchAll(/\p{M}+/gu)) {
    if (index > at) break;
    at += marks.length;
  }
  return at;
}

const borderAfter = (text: string, from: number): number => {
  const border = text.indexOf(' ', from) + 1;
  return border > 0 && border <= from + lengthBefore ? border : characterAt(text, from);
};

/** Where a language writes without spaces, behind any character. */
function borderBefore(text: string, until: number): number {
  const border = text.lastIndexOf(' ', until);
  return border > until - length / 2 ? border : characterAt(text, until);
}

/** The beginning of the character that this place is within. */
function characterAt(text: string, place: number): number {
  let at = place;
  while (at > 0 && goesOn.test(text[at] ?? '')) at -= 1;
  return at;
}
