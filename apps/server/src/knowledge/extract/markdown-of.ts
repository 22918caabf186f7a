const blocks = new Set(
  'address article aside blockquote dd details div dl dt fieldset figcaption figure footer form header hr li main ol p section summary table tr ul'.split(
    ' ',
  ),
);
const skipped = new Set('title script style noscript template svg canvas iframe head'.split(' '));
/** Elements inside one another beyond which a document says nothing that a reader could tell apart. */
const maxDepth = 200;

/** What of a node is looked at. */
export interface MarkupNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly childNodes: Iterable<MarkupNode>;
}

/** The text of an element as Markdown: headings, paragraphs, lists, tables by lines, and code. */
export function markdownOf(root: MarkupNode): string {
  const out: string[] = [];

  const walk = (node: MarkupNode, depth: number): void => {
    if (node.nodeType === 3) return void out.push((node.textContent ?? '').replaceAll(/\s+/g, ' '));
    if (node.nodeType !== 1 || depth > maxDepth) return;
    const name = node.nodeName.toLowerCase();
    if (skipped.has(name)) return;
    if (name === 'br') return void out.push('\n');
    if (name === 'pre') return void out.push('\n\n```\n', (node.textContent ?? '').trimEnd(), '\n```\n\n');
    const heading = /^h([1-6])$/.exec(name)?.[1];
    if (heading !== undefined) {
      const text = (node.textContent ?? '')
        .replaceAll(/\s+/g, ' ')
        .replace(/[#¶§]\s*$/, '')
        .trim();
      if (text !== '') out.push(`\n\n${'#'.repeat(Number(heading))} ${text}\n\n`);
      return;
    }
    const isBlock = blocks.has(name);
    if (name === 'li') out.push('\n- ');
    else if (name === 'tr') out.push('\n');
    else if (isBlock) out.push('\n\n');
    for (const child of node.childNodes) walk(child, depth + 1);
    if (name === 'td' || name === 'th') out.push(' | ');
    else if (isBlock && name !== 'li' && name !== 'tr') out.push('\n\n');
  };
  walk(root, 0);

  let fenced = false;
  const lines = out
    .join('')
    .split('\n')
    .map((line) => {
      if (line.startsWith('```')) fenced = !fenced;
      return fenced ? line.trimEnd() : line.trim().replace(/(?: \|)+$/, '');
    });
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
