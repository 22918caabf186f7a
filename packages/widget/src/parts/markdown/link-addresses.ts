import type { Inline } from './assemble-inline.ts';

/** A mail address, or a telephone number that says its country: any other number may be one of an order. */
const address =
  /(?<![\w.+-])(?:[\w.+-]{1,64}@[a-z\d](?:[a-z\d.-]{0,250}[a-z\d])?\.[a-z]{2,24}(?![\w@])|\+[1-9](?:[ ()./-]{0,2}\d){6,14}(?!\d))/giu;

/** Links the mail addresses and telephone numbers that stand in a text for themselves, but for what is a link already. */
export const linkAddresses = (nodes: readonly Inline[]): Inline[] =>
  nodes.flatMap((node): Inline | Inline[] => {
    // Most texts have no address, and a text of nothing but marks is a hundred thousand of them.
    if (node.type === 'text') return /[@+]/.test(node.text) ? linkText(node.text) : node;
    if (node.type === 'link' || !('children' in node)) return node;
    return { ...node, children: linkAddresses(node.children) };
  });

function linkText(text: string): Inline[] {
  const pieces: Inline[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(address)) {
    // A nought in brackets is for callers within the country.
    const target = found.includes('@')
      ? `mailto:${found}`
      : `tel:${found.replace('(0)', '').replace(/[^+\d]/g, '')}`;
    pieces.push({ type: 'text', text: text.slice(from, index) });
    pieces.push({ type: 'link', destination: target, children: [{ type: 'text', text: found }] });
    from = index + found.length;
  }
  if (from < text.length) pieces.push({ type: 'text', text: text.slice(from) });
  return pieces;
}
