export const maximumDestination = 2048;

type Target = { destination: string; end: number };

/** `(destination "title")` after a link text. `unfinished` when the text ends inside it and more may come. */
export function linkTarget(source: string, start: number, open: boolean): Target | 'none' | 'unfinished' {
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

export function skipSpace(source: string, at: number, spaces = ' \n'): number {
  let end = at;
  while (end < source.length && spaces.includes(source[end]!)) end++;
  return end;
}
