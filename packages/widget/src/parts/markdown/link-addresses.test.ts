import { expect, test } from 'vitest';
import type { Inline } from './assemble-inline.ts';
import { linkAddresses } from './link-addresses.ts';
import { readInline } from './read-inline.ts';

const links = (nodes: readonly Inline[]): (string | undefined)[] =>
  nodes.flatMap((node) => {
    if (node.type === 'link') return [node.destination ?? undefined];
    return 'children' in node ? links(node.children) : [];
  });

test.each([
  ['Write to help@shop.example, please.', ['mailto:help@shop.example']],
  ['(first_last+x@mail.shop.example)', ['mailto:first_last+x@mail.shop.example']],
  ['**anna.berg@shop.example**', ['mailto:anna.berg@shop.example']],
  ['Call +49 (0)30 1234-567.', ['tel:+49301234567']],
  ['+972 3-123-4567 or +1.202.555.0143', ['tel:+97231234567', 'tel:+12025550143']],
  [
    '[mail](mailto:a@b.example) and [c@d.example](https://e.example)',
    ['mailto:a@b.example', 'https://e.example'],
  ],
  ['`a@b.example` a@b @b.example a@@b.example order 1042 12+3456789 030 123456', []],
  ['\u0645\u0627\u0644+4930123456', ['tel:+4930123456']],
])('in %j these are links: %j', (source, hrefs) => {
  expect(links(readInline(source))).toEqual(hrefs);
});

test('nothing of the text is lost or said twice', () => {
  const text = 'a@b.example, +4930123456 and c@d.example';
  const said = (nodes: readonly Inline[]): string =>
    nodes
      .map((node) => ('children' in node ? said(node.children) : 'text' in node ? node.text : ''))
      .join('');
  expect(said(linkAddresses([{ type: 'text', text }]))).toBe(text);
});
