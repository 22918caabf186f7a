import { assembleInline, type Bracket, type Inline, type Token } from './assemble-inline.ts';
import { closeRuns, delimiterRun, matchRuns, type Run } from './emphasis.ts';
import { linkTarget, skipSpace } from './link-target.ts';
import { trimTrailing } from './trim-trailing.ts';

/** What stands for itself at a place of a text, and where it ends. */
export type ReadStanding = (source: string, at: number) => { node: Inline; end: number } | null;

const asciiPunctuation = /[!-/:-@[-`{-~]/;

/**
 * Reads inline markdown in one pass over the text and one over its delimiters, so time is linear in its length.
 * `open` says that more text will follow: constructs that are not finished yet are shown as if they were. What
 * begins with `<`, `&`, `h` or `w` stays text without `readStanding`.
 */
export function parseInline(source: string, open = false, readStanding?: ReadStanding): Inline[] {
  const tokens: Token[] = [];
  const brackets: Bracket[] = [];
  const runs: Run[] = [];
  const closingTicks = backtickRuns(source);
  let inactiveBelow = 0;
  let from = 0;
  let at = 0;

  /** What stands there until `end`, the text before it as it is. */
  const take = (end: number, token?: Token) => {
    if (at > from) tokens.push({ type: 'text', text: source.slice(from, at) });
    if (token) tokens.push(token);
    from = at = end;
  };
  const text = (value: string): Inline => ({ type: 'text', text: value });

  while (at < source.length) {
    const character = source[at]!;
    const next = source[at + 1];
    switch (character) {
      case '\\':
        if (next === '\n') take(at + 2, { type: 'break' });
        else if (next === undefined) take(at + 2, open ? undefined : text(character));
        else take(at + 2, text(asciiPunctuation.test(next) ? next : character + next));
        break;
      case '\n': {
        const hard = source.endsWith('  ', at);
        const end = skipSpace(source, at + 1, ' ');
        while (at > from && source[at - 1] === ' ') at--;
        take(end, hard ? { type: 'break' } : text(character));
        break;
      }
      case '`': {
        const length = runLength(source, at);
        const close = closingTicks(length, at + length);
        if (close === -1 && !open) {
          at += length;
          break;
        }
        const end = close === -1 ? source.length : close;
        let content = source.slice(at + length, end).replaceAll('\n', ' ');
        if (close === -1) content = trimTrailing(content, '`');
        if (content.startsWith(' ') && content.endsWith(' ') && content.trim() !== '')
          content = content.slice(1, -1);
        take(close === -1 ? end : end + length, content === '' ? undefined : { type: 'code', text: content });
        break;
      }
      case '*':
      case '_':
      case '~': {
        const length = runLength(source, at);
        if (character === '~' && length > 2) {
          at += length;
          break;
        }
        const run = delimiterRun(source, at, length);
        runs.push(run);
        take(at + length, run);
        break;
      }
      case '!':
      case '[': {
        const image = character === '!';
        if (image && next !== '[') {
          at++;
          break;
        }
        const bracket: Bracket = { type: 'bracket', image, runs: runs.length, link: null, hidden: false };
        brackets.push(bracket);
        take(at + (image ? 2 : 1), bracket);
        break;
      }
      case ']': {
        const bracket = brackets.pop();
        if (bracket === undefined) {
          at++;
          break;
        }
        const inactive = !bracket.image && brackets.length < inactiveBelow;
        if (inactiveBelow > brackets.length) inactiveBelow = brackets.length;
        const target = inactive ? 'none' : linkTarget(source, at + 1, open);
        if (target === 'none') {
          at++;
          break;
        }
        bracket.link = { destination: target === 'unfinished' ? null : target.destination };
        matchRuns(runs, bracket.runs);
        runs.length = bracket.runs;
        if (!bracket.image) inactiveBelow = brackets.length;
        take(target === 'unfinished' ? source.length : target.end, { type: 'end' });
        break;
      }
      case '<':
      case '&':
      case 'h':
      case 'w': {
        const found = readStanding?.(source, at);
        if (found) take(found.end, found.node);
        else at++;
        break;
      }
      default:
        at++;
    }
  }
  take(at);
  matchRuns(runs, 0);
  if (open) {
    for (const bracket of brackets) bracket.hidden = true;
    closeRuns(runs, tokens.at(-1));
  }
  return assembleInline(tokens);
}

function runLength(source: string, at: number): number {
  let end = at + 1;
  while (source[end] === source[at]) end++;
  return end - at;
}

/** Finds the next backtick run of a length, or -1; what is walked for that is passed over then, so it is linear. */
function backtickRuns(source: string) {
  const last = new Map(Array.from(source.matchAll(/`+/g), ({ 0: run, index }) => [run.length, index]));
  return (length: number, after: number): number => {
    if ((last.get(length) ?? -1) < after) return -1;
    let at = after;
    for (;;) {
      at = source.indexOf('`', at);
      const found = runLength(source, at);
      if (found === length) return at;
      at += found;
    }
  };
}
