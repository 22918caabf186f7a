import { trimTrailing } from './trim-trailing.ts';

export type Block =
  | { type: 'paragraph'; text: string }
  | { type: 'heading'; level: number; text: string }
  | { type: 'code'; language: string; text: string }
  | { type: 'quote'; children: Block[] }
  | { type: 'list'; ordered: boolean; start: number; items: ListItem[] }
  | { type: 'table'; lines: readonly string[] }
  | { type: 'rule' };

export type ListItem = { checked: boolean | null; children: Block[] };

const maximumDepth = 20;

export const fence = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))([^`]*)$/;
const heading = /^ {0,3}(#{1,6})(?:[ \t]([^]*))?$/;
const quote = /^ {0,3}>/;
const marker = /^( {0,3})([-*+]|\d{1,9}[.)])( +|$)/;
const task = /^\[([ xX])\](?: |$)/;

/** Reads block markdown line by line. Raw HTML, reference links and underlined headings stay text. */
export function parseBlocks(lines: readonly string[], depth = 0): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const end = blockEnd(lines, at, depth);
    if (end === at) at++;
    else {
      blocks.push(parseBlock(lines.slice(at, end), depth));
      at = end;
    }
  }
  return blocks;
}

/** Where the block that begins at `start` ends (exclusive); `start` itself for a blank line. */
export function blockEnd(lines: readonly string[], start: number, depth = 0): number {
  const line = lines[start]!;
  if (isBlank(line)) return start;
  const opening = fence.exec(line);
  if (opening) {
    for (let at = start + 1; at < lines.length; at++) if (closesFence(lines[at]!, opening[1]!)) return at + 1;
    return lines.length;
  }
  if (heading.test(line) || isRule(line)) return start + 1;
  if (isTable(lines, start)) {
    let at = start + 2;
    while (at < lines.length && !isBlank(lines[at]!) && !beginsBlock(lines[at]!)) at++;
    return at;
  }
  if (depth < maximumDepth && quote.test(line)) {
    let at = start + 1;
    while (
      at < lines.length &&
      (quote.test(lines[at]!) || (!isBlank(lines[at]!) && !beginsBlock(lines[at]!)))
    )
      at++;
    return at;
  }
  const item = depth < maximumDepth ? marker.exec(line) : null;
  if (item) return listEnd(lines, start, item);
  let at = start + 1;
  while (at < lines.length && !isBlank(lines[at]!) && !beginsBlock(lines[at]!) && !isTable(lines, at)) at++;
  return at;
}

function parseBlock(lines: readonly string[], depth: number): Block {
  const line = lines[0]!;
  const opening = fence.exec(line);
  if (opening) {
    const indent = line.length - line.trimStart().length;
    const closed = lines.length > 1 && closesFence(lines.at(-1)!, opening[1]!);
    const content = lines.slice(1, closed ? -1 : undefined).map((each) => stripIndent(each, indent));
    return {
      type: 'code',
      language: opening[2]!.trim().split(/\s/)[0]!.slice(0, 40),
      text: content.join('\n'),
    };
  }
  const title = heading.exec(line);
  if (title) {
    const text = (title[2] ?? '').trim();
    const closing = trimTrailing(text, '#');
    return {
      type: 'heading',
      level: title[1]!.length,
      text: closing === '' || closing.endsWith(' ') ? closing.trimEnd() : text,
    };
  }
  if (isRule(line)) return { type: 'rule' };
  if (isTable(lines, 0)) return { type: 'table', lines };
  if (depth < maximumDepth && quote.test(line)) {
    return {
      type: 'quote',
      children: parseBlocks(
        lines.map((each) => each.replace(/^ {0,3}> ?/, '')),
        depth + 1,
      ),
    };
  }
  const item = depth < maximumDepth ? marker.exec(line) : null;
  if (item) return parseList(lines, item, depth);
  return {
    type: 'paragraph',
    text: lines
      .map((each) => each.trimStart())
      .join('\n')
      .trimEnd(),
  };
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** Three marks of a kind or more. Each line is asked for it at each level, so what is none is told by its first letters. */
const isRule = (line: string): boolean =>
  /^ {0,3}(?:-[- ]+|\*[* ]+|_[_ ]+)$/.test(line) && line.replaceAll(' ', '').length > 2;

/** Whether a line ends a paragraph, list item or quote that runs on without a marker of its own. */
function beginsBlock(line: string): boolean {
  if (fence.test(line) || heading.test(line) || isRule(line) || quote.test(line)) return true;
  const item = marker.exec(line);
  return (
    item !== null && item[0].length < line.length && (/[-*+]/.test(item[2]!) || /^1[.)]$/.test(item[2]!))
  );
}

function closesFence(line: string, opening: string): boolean {
  const text = line.trim();
  return text.length >= opening.length && text === opening[0]!.repeat(text.length) && indentOf(line) < 4;
}

function indentOf(line: string): number {
  let width = 0;
  for (const character of line) {
    if (character === ' ') width++;
    else if (character === '\t') width += 4 - (width % 4);
    else break;
  }
  return width;
}

function stripIndent(line: string, columns: number): string {
  let at = 0;
  for (let width = 0; width < columns; at++) {
    if (line[at] === ' ') width++;
    else if (line[at] === '\t') width += 4;
    else break;
  }
  return line.slice(at);
}

const kindOf = (item: RegExpExecArray) => item[2]!.at(-1);

function listEnd(lines: readonly string[], start: number, first: RegExpExecArray): number {
  let end = start + 1;
  for (let at = end; at < lines.length; at++) {
    const line = lines[at]!;
    if (isBlank(line)) continue;
    const item = marker.exec(line);
    const sibling = item !== null && kindOf(item) === kindOf(first) && !isRule(line);
    const lazy = at === end && !item && !beginsBlock(line);
    if (!sibling && indentOf(line) < 2 && !lazy) break;
    end = at + 1;
  }
  return end;
}

function parseList(lines: readonly string[], first: RegExpExecArray, depth: number): Block {
  const items: ListItem[] = [];
  let body: string[] = [];
  let content = 0;
  const finish = () => {
    const box = task.exec(body[0] ?? '');
    if (box) body[0] = body[0]!.slice(box[0].length);
    items.push({ checked: box ? box[1] !== ' ' : null, children: parseBlocks(body, depth + 1) });
  };
  lines.forEach((line, index) => {
    const item = indentOf(line) < Math.max(content, 2) || index === 0 ? marker.exec(line) : null;
    if (item && kindOf(item) === kindOf(first) && !isRule(line)) {
      if (index > 0) finish();
      content = item[3]!.length > 4 ? item[0].length - item[3]!.length + 1 : Math.max(item[0].length, 2);
      body = [line.slice(content)];
    } else body.push(stripIndent(line, content));
  });
  finish();
  const ordered = first[2]!.length > 1;
  return { type: 'list', ordered, start: ordered ? Number.parseInt(first[2]!, 10) : 1, items };
}

export function isTable(lines: readonly string[], at: number): boolean {
  const header = lines[at]!;
  const delimiter = lines[at + 1];
  if (delimiter === undefined || !header.includes('|') || !/^[ \t]*[|:-][|: \t-]*$/.test(delimiter))
    return false;
  const cells = splitRow(delimiter);
  return cells.every((cell) => /^:?-+:?$/.test(cell)) && cells.length === splitRow(header).length;
}

/** The cells of a table row; a pipe counts unless a backslash stands before it. */
export function splitRow(line: string): string[] {
  let row = line.trim();
  if (row.startsWith('|')) row = row.slice(1);
  if (row.endsWith('|') && !row.endsWith('\\|')) row = row.slice(0, -1);
  const cells: string[] = [];
  let cell = '';
  for (let at = 0; at < row.length; at++) {
    if (row[at] === '\\' && row[at + 1] === '|') {
      cell += '|';
      at++;
    } else if (row[at] === '|') {
      cells.push(cell.trim());
      cell = '';
    } else cell += row[at];
  }
  cells.push(cell.trim());
  return cells;
}
