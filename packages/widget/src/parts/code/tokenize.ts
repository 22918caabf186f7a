import { type Grammar, grammars, type Kind, type Rule } from './grammars.ts';

/** A piece of a code's text; all of them together are the text. */
export type Token = { kind: Exclude<Kind, 'word'> | null; text: string };

type Mode = { pattern: RegExp; rules: readonly Rule[] };
type Reader = {
  modes: Record<string, Mode>;
  first: string;
  keywords: ReadonlySet<string>;
  fold: (word: string) => string;
};

const readers = new Map<string, Reader>();

/** Reads a code in one pass: what a token is, its beginning and the mode decide. */
export function tokenize(text: string, language: string): Token[] {
  const reader = readerOf(language);
  const tokens: Token[] = [];
  const add = (kind: Token['kind'], part: string) => {
    const last = tokens.at(-1);
    if (last?.kind === kind) last.text += part;
    else if (part) tokens.push({ kind, text: part });
  };
  let mode = reader.modes[reader.first]!;
  for (let at = 0; at < text.length;) {
    mode.pattern.lastIndex = at;
    const match = mode.pattern.exec(text);
    const index = match ? match.indexOf(match[0], 1) - 1 : -1;
    const rule = mode.rules[index];
    const part = match?.[0] ?? '';
    const [kind, , next] = rule ?? [null, '', undefined];
    if (next) mode = reader.modes[next]!;
    // What no rule is for is plain, one character at a time.
    if (!part && !next) add(null, text[at++]!);
    else add(kind === 'word' ? classify(part, text[at + part.length], reader) : kind, part);
    at += part.length;
  }
  return tokens;
}

function classify(word: string, following: string | undefined, { keywords, fold }: Reader): Token['kind'] {
  if (keywords.has(fold(word))) return 'keyword';
  if (following === '(') return 'name';
  return /^[A-Z]\w*[a-z]/.test(word) ? 'type' : null;
}

function readerOf(language: string): Reader {
  const known = readers.get(language);
  if (known) return known;
  const grammar: Grammar = grammars[language]!;
  const modes = Object.entries(grammar.modes).map(([name, rules]): [string, Mode] => [
    name,
    { pattern: new RegExp(rules.map(([, pattern]) => `(${pattern})`).join('|'), 'y'), rules },
  ]);
  const reader = {
    modes: Object.fromEntries(modes),
    first: modes[0]![0],
    keywords: new Set(grammar.keywords?.split(' ')),
    fold: grammar.ignoreCase ? (word: string) => word.toLowerCase() : (word: string) => word,
  };
  readers.set(language, reader);
  return reader;
}
