import { RE2JS } from 're2js';

const maxPatternLength = 500;
/** Steps of one compiled pattern: what each character of a text may cost. */
const maxPatternProgram = 1_000;

/** A regular expression that runs in time linear to the text: tenants and visitors write them, models the text. */
export interface LinearPattern {
  test(text: string): boolean;
  /** What each character of a text may cost. */
  readonly program: number;
}

/** Throws, in words for whoever wrote it, when the pattern cannot be used. */
export function linearPattern(pattern: string): LinearPattern {
  if (pattern.length > maxPatternLength)
    throw new Error(`a pattern has more than ${maxPatternLength} characters`);
  if (unfoldedLength(pattern) > 4 * maxPatternProgram) throw new Error('a pattern repeats too much');
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  const program = compiled.programSize();
  if (program > maxPatternProgram) throw new Error('a pattern repeats too much');
  return { test: (text) => compiled.test(text), program };
}

/** A quantifier, a class, an escape or one character. */
const tokens = /\{(\d+)(?:,(\d*))?\}|\[(?:\\.|[^\\\]])*\]|\\[pP]\{[^}]*\}|\\.|[^]/gu;

/** About how many atoms a pattern has once its repetitions are written out: compiling one takes time for each. */
function unfoldedLength(pattern: string): number {
  const groups = [0];
  let last = 0;
  for (const [token, least, most] of pattern.matchAll(tokens)) {
    const depth = groups.length - 1;
    if (token === '(') {
      groups.push(0);
      last = 0;
      continue;
    }
    if (token === ')' && depth > 0) last = groups.pop() ?? 0;
    else if (least === undefined) last = 1;
    else last *= Math.max(Number(least), Number(most ?? 0), 1) - 1;
    groups[groups.length - 1]! += last;
  }
  return groups.reduce((sum, length) => sum + length, 0);
}
