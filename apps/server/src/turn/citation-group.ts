/** Numbers in brackets, as a model may write a citation. */
export interface CitationGroup {
  readonly length: number;
  /** From and to, of one number twice the same. Null for a number among other signs, which is no citation but may be a link’s text. */
  readonly ranges: readonly (readonly [number, number])[] | null;
  /** Whether it may be the index of an array as well: one number, and nothing else. */
  readonly isPlain: boolean;
}

/** `unfinished`: what follows decides. `overlong`: nobody waits any longer for its end. */
type Reading = CitationGroup | 'unfinished' | 'overlong' | null;

/** As long as a group may get, and so as much as is held back for one. */
const maxLength = 200;

const labels = new Set(
  `source sources src cite citation citations ref refs reference references passage passages doc docs document documents
  quelle quellen fuente fuentes fonte fontes fonti référence références bron bronnen источник источники
  出典 参照 来源 來源 מקור מקורות المصدر مصدر no nr`.split(/\s+/),
);
const joins = new Set('and und y e et en и to bis'.split(' '));
const words = [...labels, ...joins];
const label = [...labels].join('|');

export const opener = /^\\?[[【［〔〖]/;
const opens = /[[【［〔〖]/;
const closes = /[\]】］〕〗]/;
const decoration = /[[【［〔〖\]】］〕〗*_~^#\\]/g;
const lone = /^[^\p{L}\p{N}[【［〔〖\n\r]*\d{1,3}[^\p{L}\p{N}[【［〔〖\n\r]*$/u;
const grammar = new RegExp(
  `^[ ,;]*(?:(?:${label})[ :.]*)*\\d+(?: ?(?:[,;、&-]|${[...joins].join('|')})? ?(?:(?:${label})[ :.]*)*\\d+)*[ ,;.:-]*$`,
  'u',
);
/** A link’s text that names a source by its number and goes on. */
const namesSource = new RegExp(`^[[【［〔〖]\\s*(?:${label})[\\s:.#]*\\p{Nd}`, 'iu');
/** Numbers among other signs, line ends and brackets too; not a time, a share or a version. */
const nested = /^\P{N}*\p{Nd}{1,3}(?:[^\p{N}:/.]+\p{Nd}{1,3})*\P{N}*$/u;

/** Whether brackets that hold no group hold what an address of the model’s own must not go with. */
export function mayCite(text: string): boolean {
  if (namesSource.test(text)) return true;
  let depth = 0;
  for (let at = 0; at < Math.min(text.length, maxLength) && !/\p{L}/u.test(text[at]!); at += 1) {
    if (opens.test(text[at]!)) depth += 1;
    else if (closes.test(text[at]!)) depth -= 1;
    if (depth === 0) return nested.test(text.slice(0, at));
  }
  return false;
}

/** Whether a text ends in brackets in which what is left out must not make a citation of the rest. */
export function endsInGroup(text: string): boolean {
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (opens.test(text[at]!)) open.push(at);
    else if (closes.test(text[at]!)) open.pop();
  }
  const [outermost] = open;
  if (outermost === undefined || text.endsWith('…')) return false;
  return [outermost, open.at(-1)!].some((from) => readCitationGroup(text.slice(from)) === 'unfinished');
}

/** Reads the group that begins with the text. */
export function readCitationGroup(text: string): Reading {
  let depth = 0;
  let hasDagger = false;
  for (let at = text.startsWith('\\') ? 1 : 0; at < text.length;) {
    if (at > maxLength) return 'overlong';
    const character = String.fromCodePoint(text.codePointAt(at)!);
    if (opens.test(character)) depth += 1;
    else if (closes.test(character)) {
      depth -= 1;
      if (depth === 0) return parsed(text.slice(0, at + 1));
    } else if (character === '†') hasDagger = true;
    else if (/\p{L}/u.test(character) && !hasDagger) {
      const word = /^[\p{L}\p{M}]+/u.exec(text.slice(at, at + maxLength))![0];
      const known = word.toLowerCase();
      if (at + word.length === text.length)
        return words.some((each) => each.startsWith(known)) ? 'unfinished' : null;
      if (!words.includes(known)) return null;
      at += word.length;
      continue;
    } else if (/[\ud800-\udbff]/.test(character) && at + 1 === text.length) return 'unfinished';
    at += character.length;
  }
  return 'unfinished';
}

function parsed(text: string): CitationGroup | null {
  const content = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Nd}/gu, digit)
    // As in 【4:0†source】.
    .replace(/(?::\d+)?†.*$/s, '')
    // The lines of a quotation.
    .replace(/[\n\r][ \t>]*/g, ' ')
    .replace(decoration, ' ')
    .replace(/[\p{Pd}−]/gu, '-')
    .replace(/\s+/g, ' ')
    .toLowerCase();
  // What was left out of it stood between others, which are judged by themselves.
  if (text.includes('…') && /[[【［〔〖]/.test(text.replace(/^\\?./u, ''))) return null;
  if (!grammar.test(content.trim()))
    return lone.test(text.slice(1, -1)) ? { length: text.length, ranges: null, isPlain: false } : null;
  const found = [...content.matchAll(/(\d+)(?: ?(?:-|\bto\b|\bbis\b) ?(\d+))?/g)];
  const ranges = found.map(([, from, to]): [number, number] => [Number(from), Number(to ?? from)]);
  // A year, a date, or the digits of a regular expression.
  const isNumberOfPage = found[0]![1]!.replace(/^0+/, '').length < 4;
  const isDate = /\d ?- ?\d+ ?-/.test(content);
  const isClass = ranges.some(([from, to]) => from === 0 && to !== 0);
  if (!isNumberOfPage || isDate || isClass) return null;
  return { length: text.length, ranges, isPlain: /^\[\d+\]$/.test(text) };
}

/** Any script’s digit as the one of ASCII: the ten of a script follow each other. */
function digit(character: string): string {
  const code = character.codePointAt(0)!;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}
