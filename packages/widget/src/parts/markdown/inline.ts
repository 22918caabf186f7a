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
  const ticks = backtickRuns(source);
  let inactiveBelow = 0;
  let from = 0;
  let at = 0;

  const flush = (end: number) => {
    if (end > from) tokens.push({ type: 'text', text: source.slice(from, end) });
  };
  const text = (value: string) => tokens.push({ type: 'text', text: value });

  while (at < source.length) {
    const character = source[at]!;
    switch (character) {
      case '\\': {
        flush(at);
        const next = source[at + 1];
        if (next === '\n') tokens.push({ type: 'break' });
        else if (next !== undefined && asciiPunctuation.test(next)) text(next);
        else if (next !== undefined || !open) text(character + (next ?? ''));
        at += 2;
        from = at;
        break;
      }
      case '\n': {
        const hard = source.endsWith('  ', at) && at >= 2;
        let end = at;
        while (end > from && source[end - 1] === ' ') end--;
        flush(end);
        if (hard) tokens.push({ type: 'break' });
        else text('\n');
        at++;
        while (source[at] === ' ') at++;
        from = at;
        break;
      }
      case '`': {
        const length = runLength(source, at);
        const close = ticks.next(length, at + length);
        if (close === -1 && !open) {
          at += length;
          break;
        }
        flush(at);
        const end = close === -1 ? source.length : close;
        let content = source.slice(at + length, end).replaceAll('\n', ' ');
        if (close === -1) content = trimTrailing(content, '`');
        if (content.startsWith(' ') && content.endsWith(' ') && content.trim() !== '')
          content = content.slice(1, -1);
        if (content !== '') tokens.push({ type: 'code', text: content });
        at = close === -1 ? source.length : close + length;
        from = at;
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
        flush(at);
        const run = delimiterRun(source, at, length);
        tokens.push(run);
        runs.push(run);
        at += length;
        from = at;
        break;
      }
      case '!':
      case '[': {
        if (character === '!' && source[at + 1] !== '[') {
          at++;
          break;
        }
        flush(at);
        const bracket: Bracket = {
          type: 'bracket',
          image: character === '!',
          runs: runs.length,
          link: null,
          hidden: false,
        };
        tokens.push(bracket);
        brackets.push(bracket);
        at += bracket.image ? 2 : 1;
        from = at;
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
        flush(at);
        bracket.link = { url: target === 'unfinished' ? null : safeUrl(target.destination) };
        matchRuns(runs, bracket.runs);
        runs.length = bracket.runs;
        tokens.push({ type: 'end' });
        if (!bracket.image) inactiveBelow = brackets.length;
        at = target === 'unfinished' ? source.length : target.end;
        from = at;
        break;
      }
      case '<': {
        const length = source.slice(at + 1, at + maximumDestination).search(/[\s<>]/);
        const inside =
          length > 0 && source[at + 1 + length] === '>' ? source.slice(at + 1, at + 1 + length) : '';
        const url = /^[a-z][a-z0-9+.-]{1,31}:/i.test(inside)
          ? safeUrl(inside)
          : /^[\w.+-]{1,64}@[\w.-]{1,253}$/.test(inside)
            ? safeUrl(`mailto:${inside}`)
            : null;
        if (url === null) {
          at++;
          break;
        }
        flush(at);
        tokens.push({ type: 'link', url, children: [{ type: 'text', text: inside }] });
        at += length + 2;
        from = at;
        break;
      }
      case '&': {
        const entity = /^&(?:([a-z]{2,6})|#(\d{1,7})|#x([\da-f]{1,6}));/i.exec(source.slice(at, at + 12));
        const decoded = entity && decodeEntity(entity);
        if (!entity || decoded === null) {
          at++;
          break;
        }
        flush(at);
        text(decoded);
        at += entity[0].length;
        from = at;
        break;
      }
      case 'h':
      case 'w': {
        const length = at > 0 && /[\w/]/.test(source[at - 1]!) ? 0 : bareAddress(source, at);
        if (length === 0) {
          at++;
          break;
        }
        const shown = source.slice(at, at + length);
        const url = safeUrl(character === 'w' ? `https://${shown}` : shown);
        if (url === null) {
          at += length;
          break;
        }
        flush(at);
        tokens.push({ type: 'link', url, children: [{ type: 'text', text: shown }] });
        at += length;
        from = at;
        break;
      }
      default:
        at++;
    }
  }
  flush(source.length);
  matchRuns(runs, 0);
  if (open) closeTail(tokens, runs, brackets);
  return assemble(tokens);
}

function runLength(source: string, at: number): number {
  let end = at + 1;
  while (source[end] === source[at]) end++;
  return end - at;
}

/** Looks up the next backtick run of a length; each list is walked once, however often it is asked. */
function backtickRuns(source: string) {
  const positions = new Map<number, number[]>();
  for (let at = source.indexOf('`'); at !== -1;) {
    const length = runLength(source, at);
    const list = positions.get(length);
    if (list) list.push(at);
    else positions.set(length, [at]);
    at = source.indexOf('`', at + length);
  }
  const cursors = new Map<number, number>();
  return {
    next(length: number, after: number): number {
      const list = positions.get(length);
      if (!list) return -1;
      let cursor = cursors.get(length) ?? 0;
      while (cursor < list.length && list[cursor]! < after) cursor++;
      cursors.set(length, cursor);
      return list[cursor] ?? -1;
    },
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

function skipSpace(source: string, at: number): number {
  while (source[at] === ' ' || source[at] === '\n') at++;
  return at;
}

/** The length of a bare `http://`, `https://` or `www.` address, without the punctuation that ends a sentence. */
function bareAddress(source: string, start: number): number {
  const scheme = ['https://', 'http://', 'www.'].find((prefix) => source.startsWith(prefix, start));
  if (scheme === undefined) return 0;
  let end = start + scheme.length;
  let depth = 0;
  for (; end < source.length && end - start < maximumDestination; end++) {
    const character = source[end]!;
    if (character <= ' ' || character === '<' || '`|]'.includes(character)) break;
    if (character === '(') depth++;
    if (character === ')' && --depth < 0) break;
  }
  while (end > start && /[?!.,:*_~'"\]]/.test(source[end - 1]!)) end--;
  return end > start + scheme.length ? end - start : 0;
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
