import { type SafeUrl, safeUrl } from './safe-url.ts';
import { trimTrailing } from './trim-trailing.ts';

export type Inline =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'break' }
  | { type: 'strong' | 'em' | 's'; children: Inline[] }
  | { type: 'link'; url: SafeUrl | null; children: Inline[] }
  | { type: 'image'; url: SafeUrl | null; alt: string };

type Style = 'strong' | 'em' | 's';
type Run = {
  type: 'run';
  mark: string;
  length: number;
  left: number;
  opens: boolean;
  closes: boolean;
  intraword: boolean;
  starts: Style[];
  ends: number;
};
type Bracket = {
  type: 'bracket';
  image: boolean;
  runs: number;
  link: { url: SafeUrl | null } | null;
  hidden: boolean;
};
type Token = Inline | Run | Bracket | { type: 'end' };

const maximumDepth = 20;
const maximumDestination = 2048;
const asciiPunctuation = /[!-/:-@[-`{-~]/;
const punctuation = /[\p{P}\p{S}]/u;
const space = /\s/;
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/**
 * Reads inline markdown in one pass over the text and one over its delimiters, so time is linear in its length.
 * `open` says that more text will follow: constructs that are not finished yet are shown as if they were.
 */
export function parseInline(source: string, open = false): Inline[] {
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
  const link = (url: SafeUrl, shown: string, end: number) =>
    take(end, { type: 'link', url, children: [text(shown)] });

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
        bracket.link = { url: target === 'unfinished' ? null : safeUrl(target.destination) };
        matchRuns(runs, bracket.runs);
        runs.length = bracket.runs;
        if (!bracket.image) inactiveBelow = brackets.length;
        take(target === 'unfinished' ? source.length : target.end, { type: 'end' });
        break;
      }
      case '<': {
        const inside = /^[^\s<>]+(?=>)/.exec(source.slice(at + 1, at + maximumDestination))?.[0] ?? '';
        const url = /^[a-z][a-z0-9+.-]{1,31}:/i.test(inside)
          ? safeUrl(inside)
          : /^[\w.+-]{1,64}@[\w.-]{1,253}$/.test(inside)
            ? safeUrl(`mailto:${inside}`)
            : null;
        if (url) link(url, inside, at + inside.length + 2);
        else at++;
        break;
      }
      case '&': {
        const entity = /^&(?:([a-z]{2,6})|#(\d{1,7})|#x([\da-f]{1,6}));/i.exec(source.slice(at, at + 12));
        const decoded = entity && decodeEntity(entity);
        if (!entity || decoded === null) at++;
        else take(at + entity[0].length, text(decoded));
        break;
      }
      case 'h':
      case 'w': {
        const end = at > 0 && /[\w/]/.test(source[at - 1]!) ? at : bareAddressEnd(source, at);
        const shown = source.slice(at, end);
        const url = shown ? safeUrl(character === 'w' ? `https://${shown}` : shown) : null;
        if (url) link(url, shown, end);
        else at = end > at ? end : at + 1;
        break;
      }
      default:
        at++;
    }
  }
  take(at);
  matchRuns(runs, 0);
  if (open) closeTail(tokens, runs, brackets);
  return assemble(tokens);
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

function delimiterRun(source: string, at: number, length: number): Run {
  const mark = source[at]!;
  const before = at === 0 ? ' ' : source[at - 1]!;
  const after = source[at + length] ?? ' ';
  const spaceBefore = space.test(before);
  const spaceAfter = space.test(after);
  const punctuationBefore = punctuation.test(before);
  const punctuationAfter = punctuation.test(after);
  const left = !spaceAfter && (!punctuationAfter || spaceBefore || punctuationBefore);
  const right = !spaceBefore && (!punctuationBefore || spaceAfter || punctuationAfter);
  const underscore = mark === '_';
  return {
    type: 'run',
    mark,
    length,
    left: length,
    opens: left && (!underscore || !right || punctuationBefore),
    closes: right && (!underscore || !left || punctuationAfter),
    intraword: !spaceBefore && !punctuationBefore,
    starts: [],
    ends: 0,
  };
}

/** The CommonMark delimiter algorithm; `floors` remembers where no opener was found, which keeps it linear. */
function matchRuns(runs: Run[], bottom: number): void {
  const openers: number[] = [];
  const floors = new Map<string, number>();
  for (let index = bottom; index < runs.length; index++) {
    const closer = runs[index]!;
    while (closer.closes && closer.left > 0) {
      const floorKey = `${closer.mark}${closer.opens ? 1 : 0}${closer.length % 3}`;
      const floor = floors.get(floorKey) ?? -1;
      let position = openers.length - 1;
      while (position >= 0 && openers[position]! > floor && !pairs(runs[openers[position]!]!, closer))
        position--;
      if (position < 0 || openers[position]! <= floor) {
        floors.set(floorKey, openers.at(-1) ?? floor);
        break;
      }
      openers.length = position + 1;
      const opener = runs[openers[position]!]!;
      const width = closer.mark === '~' ? closer.left : opener.left >= 2 && closer.left >= 2 ? 2 : 1;
      opener.starts.push(closer.mark === '~' ? 's' : width === 2 ? 'strong' : 'em');
      closer.ends++;
      opener.left -= width;
      closer.left -= width;
      if (opener.left === 0) openers.pop();
    }
    if (closer.opens && closer.left > 0) openers.push(index);
  }
}

function pairs(opener: Run, closer: Run): boolean {
  if (opener.mark !== closer.mark || opener.left === 0) return false;
  if (opener.mark === '~') return opener.left === closer.left;
  const oddMatch = (opener.closes || closer.opens) && (opener.length + closer.length) % 3 === 0;
  return !oddMatch || (opener.length % 3 === 0 && closer.length % 3 === 0);
}

type Target = { destination: string; end: number };

/** `(destination "title")` after a link text. `unfinished` when the text ends inside it and more may come. */
function linkTarget(source: string, start: number, open: boolean): Target | 'none' | 'unfinished' {
  const cut = open ? 'unfinished' : 'none';
  if (start >= source.length) return cut;
  if (source[start] !== '(') return 'none';
  let at = skipSpace(source, start + 1);
  let destination: string;
  if (source[at] === '<') {
    const end = at + source.slice(at, at + maximumDestination).search(/[>\n]|(?!^)</);
    if (end < at) return cut;
    if (source[end] !== '>') return 'none';
    destination = source.slice(at + 1, end);
    at = end + 1;
  } else {
    const begin = at;
    let depth = 0;
    for (; at < source.length; at++) {
      const character = source[at]!;
      if (character <= ' ') break;
      if (character === '\\') at++;
      else if (character === '(' && ++depth > 3) return 'none';
      else if (character === ')' && --depth < 0) break;
      if (at - begin > maximumDestination) return 'none';
    }
    destination = source.slice(begin, at);
  }
  at = skipSpace(source, at);
  const quote = source[at];
  if (quote === '"' || quote === "'") {
    const end = source.slice(at + 1, at + maximumDestination).indexOf(quote);
    if (end === -1) return cut;
    at = skipSpace(source, at + end + 2);
  }
  if (at >= source.length) return cut;
  return source[at] === ')'
    ? { destination: destination.replace(/\\([!-/:-@[-`{-~])/g, '$1'), end: at + 1 }
    : 'none';
}

function skipSpace(source: string, at: number, spaces = ' \n'): number {
  let end = at;
  while (end < source.length && spaces.includes(source[end]!)) end++;
  return end;
}

/** Where a bare `http://`, `https://` or `www.` address ends, without the punctuation that ends a sentence. */
function bareAddressEnd(source: string, start: number): number {
  const scheme = ['https://', 'http://', 'www.'].find((prefix) => source.startsWith(prefix, start));
  if (scheme === undefined) return start;
  let end = start + scheme.length;
  let depth = 0;
  for (; end < source.length && end - start < maximumDestination; end++) {
    const character = source[end]!;
    if (character <= ' ' || character === '<' || '`|]'.includes(character)) break;
    if (character === '(') depth++;
    if (character === ')' && --depth < 0) break;
  }
  while (end > start && /[?!.,:*_~'"\]]/.test(source[end - 1]!)) end--;
  return end > start + scheme.length ? end : start;
}

function decodeEntity(match: RegExpExecArray): string | null {
  if (match[1] !== undefined) return entities[match[1]] ?? null;
  const code = match[2] === undefined ? Number.parseInt(match[3]!, 16) : Number(match[2]);
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd';
  return String.fromCodePoint(code);
}

/** Shows what is still being written as it will look: open emphasis is closed, a bare marker at the end is held back. */
function closeTail(tokens: Token[], runs: Run[], brackets: Bracket[]): void {
  for (const bracket of brackets) bracket.hidden = true;
  const last = tokens.at(-1);
  for (const run of runs) {
    if (run.left === 0) continue;
    if (run === last) {
      if (!run.intraword || run.opens || run.length > 1 || run.closes) run.left = 0;
    } else if (run.opens && (run.left > 1 || !run.intraword) && !(run.mark === '~' && run.left === 1)) {
      for (; run.left > 0; run.left -= run.left > 1 ? 2 : 1)
        run.starts.push(run.mark === '~' ? 's' : run.left > 1 ? 'strong' : 'em');
    }
  }
}

function assemble(tokens: Token[]): Inline[] {
  const root: Inline[] = [];
  const stack: Inline[][] = [root];
  /** What each level will become when it ends; deeper than the cap, levels are counted but not made. */
  const pending: ((children: Inline[]) => Inline)[] = [];
  let skipped = 0;
  let links = 0;

  const enter = (finish: (children: Inline[]) => Inline) => {
    if (stack.length > maximumDepth) {
      skipped++;
      return;
    }
    stack.push([]);
    pending.push(finish);
  };
  const leave = () => {
    if (skipped > 0) {
      skipped--;
      return;
    }
    const finish = pending.pop();
    if (finish) add(finish(stack.pop()!));
  };
  const add = (node: Inline) => {
    const list = stack.at(-1)!;
    const previous = list.at(-1);
    if (node.type === 'text' && previous?.type === 'text') previous.text += node.text;
    else list.push(node);
  };

  for (const token of tokens) {
    switch (token.type) {
      case 'run':
        for (let count = token.ends; count > 0; count--) leave();
        if (token.left > 0) add({ type: 'text', text: token.mark.repeat(token.left) });
        for (const type of token.starts.toReversed()) enter((children) => ({ type, children }));
        break;
      case 'bracket': {
        const { link, image } = token;
        if (link === null) {
          if (!token.hidden) add({ type: 'text', text: image ? '![' : '[' });
        } else if (image) enter((children) => ({ type: 'image', url: link.url, alt: plainText(children) }));
        else {
          if (stack.length <= maximumDepth) links++;
          enter((children) => {
            links--;
            return { type: 'link', url: link.url, children };
          });
        }
        break;
      }
      case 'end':
        leave();
        break;
      case 'link':
        // A link's own text is not a link again.
        if (links > 0) for (const child of token.children) add(child);
        else add(token);
        break;
      default:
        add(token);
    }
  }
  while (pending.length > 0) {
    skipped = 0;
    leave();
  }
  return root;
}

export function plainText(nodes: Inline[]): string {
  let text = '';
  for (const node of nodes) {
    if (node.type === 'text' || node.type === 'code') text += node.text;
    else if (node.type === 'image') text += node.alt;
    else if (node.type === 'break') text += '\n';
    else text += plainText(node.children);
  }
  return text;
}
