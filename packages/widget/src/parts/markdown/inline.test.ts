import { expect, test } from 'vitest';
import { type Inline, plainText } from './assemble-inline.ts';
import { parseInline } from './inline.ts';
import { readStanding } from './read-standing.ts';
import { safeUrl } from './safe-url.ts';

/** A compact notation of what was read. */
const show = (source: string, open = false): string =>
  parseInline(source, open, readStanding).map(print).join('');

function print(node: Inline): string {
  switch (node.type) {
    case 'text':
      return node.text;
    case 'code':
      return `<code>${node.text}</code>`;
    case 'break':
      return '<br>';
    case 'image':
      return `<img ${safeUrl(node.destination ?? '')?.host ?? 'none'} ${node.alt}>`;
    case 'link':
      return `<a ${safeUrl(node.destination ?? '')?.href ?? 'none'}>${node.children.map(print).join('')}</a>`;
    default:
      return `<${node.type}>${node.children.map(print).join('')}</${node.type}>`;
  }
}

test.each([
  ['**bold** and *em*', '<strong>bold</strong> and <em>em</em>'],
  ['***both***', '<em><strong>both</strong></em>'],
  ['**a *b* c**', '<strong>a <em>b</em> c</strong>'],
  ['~~gone~~', '<s>gone</s>'],
  ['snake_case_name', 'snake_case_name'],
  ['2 * 3 * 4', '2 * 3 * 4'],
  ['\\*literal\\*', '*literal*'],
  ['`a * b`', '<code>a * b</code>'],
  ['`` a ` b ``', '<code>a ` b</code>'],
  ['un`closed', 'un`closed'],
  ['a  \nb', 'a<br>b'],
  ['a\nb', 'a\nb'],
  ['[text](https://example.com "title")', '<a https://example.com/>text</a>'],
  ['[a *b*](<https://example.com/a b>)', '<a https://example.com/ab>a <em>b</em></a>'],
  ['[not a link] (x)', '[not a link] (x)'],
  ['![alt](https://img.example/a.png)', '<img img.example alt>'],
  ['see https://example.com/a_(b), ok', 'see <a https://example.com/a_(b)>https://example.com/a_(b)</a>, ok'],
  ['www.example.com.', '<a https://www.example.com/>www.example.com</a>.'],
  ['<https://example.com>', '<a https://example.com/>https://example.com</a>'],
  ['<me@example.com>', '<a mailto:me@example.com>me@example.com</a>'],
  ['[https://bank.example](https://evil.example)', '<a https://evil.example/>https://bank.example</a>'],
  ['AT&amp;T &#169; &nope;', 'AT&T © &nope;'],
  ['<b onclick=x>raw</b>', '<b onclick=x>raw</b>'],
  ['[x](javascript:alert(1))', '<a none>x</a>'],
  ['[x](&#106;avascript:alert(1))', '<a none>x</a>'],
  ['**注意：**请先登录', '<strong>注意：</strong>请先登录'],
  ['これは**「重要」**です', 'これは<strong>「重要」</strong>です'],
  ['**"강조"**는 ~~(옛)~~말', '<strong>"강조"</strong>는 <s>(옛)</s>말'],
  ['甲**乙：**丙**丁**戊*己。*庚', '甲<strong>乙：</strong>丙<strong>丁</strong>戊<em>己。</em>庚'],
  ['**注意：**API 密钥', '<strong>注意：</strong>API 密钥'],
  ['Docker**（推荐）**Compose', 'Docker<strong>（推荐）</strong>Compose'],
  ['คือ**"การทดสอบ"**ครับ', 'คือ<strong>"การทดสอบ"</strong>ครับ'],
  ['*甲：**乙**丙*', '<em>甲：<strong>乙</strong>丙</em>'],
  ['「_甲_」', '「<em>甲</em>」'],
  ['5*3=15個、2 * 3', '5*3=15個、2 * 3'],
])('%j', (source, expected) => {
  expect(show(source)).toBe(expected);
});

test.each([
  ['**bol', '<strong>bol</strong>'],
  ['**', ''],
  ['a *', 'a '],
  ['*em', '<em>em</em>'],
  ['~~gon', '<s>gon</s>'],
  ['`cod', '<code>cod</code>'],
  ['[te', 'te'],
  ['[text]', '<a none>text</a>'],
  ['[text](https://exam', '<a none>text</a>'],
  ['![alt](https://im', '<img none alt>'],
  ['2 * 3', '2 * 3'],
  ['snake_case', 'snake_case'],
])('while it is written, %j is shown as it will look', (source, expected) => {
  expect(show(source, true)).toBe(expected);
});

/** What follows an address in a sentence, in languages that set no space before it. */
test.each([
  '，谢谢',
  '。然后',
  '（官网）',
  '）然后',
  '】',
  '」を見て',
  '、次に',
  '；再',
  '：',
  '！',
  '？',
  '، شكرا',
  '؟',
  '\u00a0» est là',
  '\u202f: voilà',
  '» est là',
  '“ finden',
  '” and on',
  '’',
  '…',
  '……然后',
  '।',
  '۔',
  '៕',
  '｜电话',
  '～',
  '—or not',
  '\u3000次',
])('an address ends before %j', (after) => {
  const address = 'https://example.com/a';
  expect(show(`${address}${after}`)).toBe(`<a ${address}>${address}</a>${after}`);
  expect(show(`www.example.com${after}`)).toBe(`<a https://www.example.com/>www.example.com</a>${after}`);
});

test.each([
  'https://ja.example/東京/々',
  'https://en.example/Rock–paper',
  'https://ja.example/ジョン・スミス',
  'https://ca.example/Col·legi',
  'https://fr.example/L’Été',
])('an address may be written in any script: %s', (address) => {
  expect(show(`${address}.`)).toBe(`<a ${new URL(address).href}>${address}</a>.`);
});

test('nesting is capped', () => {
  const depth = (nodes: Inline[]): number =>
    Math.max(0, ...nodes.map((node) => ('children' in node ? 1 + depth(node.children) : 0)));
  const nodes = parseInline(`${'*a '.repeat(100)}${' b*'.repeat(100)}`);
  expect(depth(nodes)).toBeLessThanOrEqual(20);
  expect(plainText(nodes)).toContain('a a a');
});
