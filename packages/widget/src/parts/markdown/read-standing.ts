import type { Inline } from './assemble-inline.ts';
import { maximumDestination } from './link-target.ts';
import { safeUrl } from './safe-url.ts';

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

type Standing = { node: Inline; end: number } | null;

/** Reads an address that stands for itself, or a character by its name, where it begins; null where there is none. */
export function readStanding(source: string, at: number): Standing {
  switch (source[at]) {
    case '<':
      return bracketedAddress(source, at);
    case '&':
      return namedCharacter(source, at);
    default:
      return bareAddress(source, at);
  }
}

const text = (value: string): Inline => ({ type: 'text', text: value });
const link = (destination: string, shown: string): Inline => ({
  type: 'link',
  destination,
  children: [text(shown)],
});

function bracketedAddress(source: string, at: number): Standing {
  const inside = /^[^\s<>]+(?=>)/.exec(source.slice(at + 1, at + maximumDestination))?.[0] ?? '';
  const isMail = /^[\w.+-]{1,64}@[\w.-]{1,253}$/.test(inside);
  if (!isMail && !/^[a-z][a-z0-9+.-]{1,31}:/i.test(inside)) return null;
  const url = safeUrl(isMail ? `mailto:${inside}` : inside);
  return url && { node: link(url.href, inside), end: at + inside.length + 2 };
}

function namedCharacter(source: string, at: number): Standing {
  const entity = /^&(?:([a-z]{2,6})|#(\d{1,7})|#x([\da-f]{1,6}));/i.exec(source.slice(at, at + 12));
  const decoded = entity && decodeEntity(entity);
  return decoded === null ? null : { node: text(decoded), end: at + entity![0].length };
}

function decodeEntity(match: RegExpExecArray): string | null {
  if (match[1] !== undefined) return entities[match[1]] ?? null;
  const code = match[2] === undefined ? Number.parseInt(match[3]!, 16) : Number(match[2]);
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd';
  return String.fromCodePoint(code);
}

function bareAddress(source: string, at: number): Standing {
  const end = at > 0 && /[\w/]/.test(source[at - 1]!) ? at : bareAddressEnd(source, at);
  if (end === at) return null;
  const shown = source.slice(at, end);
  const url = safeUrl(source[at] === 'w' ? `https://${shown}` : shown);
  return { node: url ? link(url.href, shown) : text(shown), end };
}

/** Spaces and marks of any language that end an address; the marks left out here stand within some. */
const outside = /[\s<`|\]\uff5c\uff5e]|(?![!-~·\u2010-\u2013’・])\p{P}/u;

/** Where a bare `http://`, `https://` or `www.` address ends, without the punctuation that ends a sentence. */
function bareAddressEnd(source: string, start: number): number {
  const scheme = ['https://', 'http://', 'www.'].find((prefix) => source.startsWith(prefix, start));
  if (scheme === undefined) return start;
  let end = start + scheme.length;
  let depth = 0;
  for (; end < source.length && end - start < maximumDestination; end++) {
    const character = source[end]!;
    if (character <= ' ' || outside.test(character)) break;
    if (character === '(') depth++;
    if (character === ')' && --depth < 0) break;
  }
  while (end > start && /[?!.,:*_~'"’]/.test(source[end - 1]!)) end--;
  return end > start + scheme.length ? end : start;
}
