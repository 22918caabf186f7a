import { tests } from 'commonmark-spec';
import { expect, test } from 'vitest';
import { type Block, parseBlocks } from './block.ts';
import type { Inline } from './assemble-inline.ts';
import { parseInline } from './inline.ts';
import { readStanding } from './read-standing.ts';
import { readTable } from './read-table.ts';
import { safeUrl } from './safe-url.ts';
import { commonMarkDeviations, gfmExamples } from './specification.ts';
import { splitBlocks } from './split.ts';

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const inline = (source: string) => parseInline(source, false, readStanding).map(node).join('');

function node(each: Inline): string {
  switch (each.type) {
    case 'text':
      return escape(each.text);
    case 'code':
      return `<code>${escape(each.text)}</code>`;
    case 'break':
      return '<br />\n';
    case 'link': {
      const children = each.children.map(node).join('');
      const url = safeUrl(each.destination ?? '');
      return url ? `<a href="${escape(url.href)}">${children}</a>` : children;
    }
    case 'image':
      return `<img src="${escape(safeUrl(each.destination ?? '')?.href ?? '')}" alt="${escape(each.alt)}" />`;
    default:
      return `<${each.type}>${each.children.map(node).join('')}</${each.type}>`;
  }
}

function block(each: Block): string {
  switch (each.type) {
    case 'paragraph':
      return `<p>${inline(each.text)}</p>\n`;
    case 'heading':
      return `<h${each.level}>${inline(each.text)}</h${each.level}>\n`;
    case 'code':
      return `<pre><code${each.language && ` class="language-${escape(each.language)}"`}>${escape(each.text)}${each.text && '\n'}</code></pre>\n`;
    case 'quote':
      return `<blockquote>\n${each.children.map(block).join('')}</blockquote>\n`;
    case 'rule':
      return '<hr />\n';
    case 'list': {
      const tag = each.ordered ? 'ol' : 'ul';
      const start = each.ordered && each.start !== 1 ? ` start="${each.start}"` : '';
      const items = each.items.map(({ checked, children }) => {
        const box = checked === null ? '' : `<input${checked ? ' checked' : ''}> `;
        return `<li>${box}${children.map(block).join('')}</li>\n`;
      });
      return `<${tag}${start}>\n${items.join('')}</${tag}>\n`;
    }
    case 'table': {
      const row = (cells: string[], tag: string) =>
        `<tr>${cells.map((cell) => `<${tag}>${inline(cell)}</${tag}>`).join('')}</tr>`;
      const { header, rows } = readTable(each.lines);
      return `<table>${row(header, 'th')}${rows.map((cells) => row(cells, 'td')).join('')}</table>`;
    }
  }
}

/** What differs only in white space, in how tight a list is, in titles, or in the spelling of an address, is equal. */
const normal = (html: string) =>
  html
    .replaceAll(/<\/?p>/g, '\n')
    .replaceAll(/ title="[^"]*"/g, '')
    .replaceAll(
      /(href|src)="([^"]*)"/g,
      (_, name: string, url: string) => `${name}="${URL.parse(url)?.href ?? url}"`,
    )
    .replaceAll(/\s*(<\/?(?:li|ul|ol|blockquote|h\d|pre|hr \/|table|t[rhd]|br \/)[^>]*>)\s*/g, '$1')
    .replaceAll(/(<input[^>]*>)\s*/g, '$1')
    .trim();

const shown = (markdown: string) => {
  const { pieces } = splitBlocks(markdown);
  return normal(pieces.map(({ source }) => parseBlocks(source.split('\n')).map(block).join('')).join(''));
};

/** The specification's addresses are relative, which ours are not allowed to be. */
const absolute = (text: string) =>
  text.replaceAll(/(?<![\w/.])\/(url|uri|train\.jpg|foo|bar)/g, 'https://e.example/$1');

const examples = tests.map(({ number, section, markdown, html }) => ({
  number,
  section,
  markdown: absolute(markdown.replaceAll('→', '\t')),
  html: absolute(html.replaceAll('→', '\t')),
}));

test('CommonMark is shown as its specification says, but for the deviations on the list', () => {
  const differing: Record<string, number[]> = {};
  for (const { number, section, markdown, html } of examples)
    if (shown(markdown) !== normal(html)) (differing[section] ??= []).push(number);
  const listed = Object.fromEntries(
    Object.entries(commonMarkDeviations).map(([section, { examples: numbers }]) => [section, numbers]),
  );
  expect(differing).toEqual(listed);
});

test.each(gfmExamples)('GitHub’s extension %j is shown as %s', (markdown, html) => {
  expect(shown(markdown)).toBe(normal(html));
});
