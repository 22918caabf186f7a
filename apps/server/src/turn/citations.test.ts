import type { Source } from '@parley/protocol/event';
import fc from 'fast-check';
import { marked } from 'marked';
import { expect, test } from 'vitest';
import { Citations, judgeWhole } from './citations.ts';

const sources = new Map<number, Source>(
  [1, 2, 12].map((number) => [
    number,
    { number, title: `Page ${number}`, url: `https://a.example/${number}` },
  ]),
);
const cited = (text: string) => {
  const citations = new Citations(sources);
  const passed = citations.push(text) + citations.end();
  return { passed, cited: citations.cited.map(({ number }) => number) };
};

/** What a reader of the text as Markdown would see that this turn has not retrieved. */
function foreign(text: string): string[] {
  const html = marked.parse(text, { async: false }).replace(/<code[^>]*>.*?<\/code>/gs, 'code');
  const links = [...html.matchAll(/<a [^>]*>(.*?)<\/a>/gs)].filter(([, inner]) =>
    /^[^\p{L}\d]*\d{1,3}[^\p{L}\d]*$/u.test(inner!),
  );
  const shown = html.replace(/<\/?(?:p|pre|blockquote|[uo]l|li|h\d)\b[^>]*>/g, '|').replace(/<[^>]*>/g, '');
  const numbers = [...shown.matchAll(/(\w*)\[\s*([79])\s*\]/g)];
  return [
    ...links.map(([link]) => link),
    ...numbers.filter(([, before]) => !/argv$|^[a-z]$/.test(before!)).map(([number]) => number),
  ];
}

test.each([
  ['Bring milk [1]. And bread [12][2].', 'Bring milk [1]. And bread [12][2].', [1, 2, 12]],
  ['Bring milk [7].', 'Bring milk.', []],
  ['[9] first', ' first', []],
  ['Both [1, 3; 2]', 'Both [1, 2]', [1, 2]],
  ['None [3, 4], is it', 'None, is it', []],
  ['Milk.[1]', 'Milk.[1]', [1]],
  ['<b>[1]</b><br>', '<b>[1]</b><br>', [1]],
  ['As in [1]: so', 'As in [1]: so', [1]],
  ['Nothing.', 'Nothing.', []],
  ['Spaces  \n\n  stay ', 'Spaces  \n\n  stay ', []],
  ['A line.\n[9]\nAnother.', 'A line.\n\nAnother.', []],
])('%j is passed on as %j', (text, passed, numbers) => {
  expect(cited(text)).toEqual({ passed, cited: numbers });
});

test.each([
  ['[[9]]', '', []],
  ['[[1]]', '[1]', [1]],
  ['[[9]9]', '', []],
  ['[9[7](https://evil.example)]', '[9…]', []],
  ['[1-9]', '[1, 2]', [1, 2]],
  ['[2–3]', '[2]', [2]],
  ['[ 9 ]', '', []],
  ['[7…]', '', []],
  ['[1, 9…]', '[1…]', []],
  ['[ 1 ]', '[1]', [1]],
  ['[1 2]', '[1, 2]', [1, 2]],
  ['[01]', '[1]', [1]],
  ['[^9]', '', []],
  ['[**9**]', '', []],
  ['[9\\]', '', []],
  ['\\[9\\]', '', []],
  ['[​9]', '', []],
  ['[９]', '', []],
  ['[٢]', '[2]', [2]],
  ['［9］', '', []],
  ['【9】', '', []],
  ['【1】', '[1]', [1]],
  ['【4:0†source】', '', []],
  ['【1†Hours.md】', '[1]', [1]],
  ['[Source 9]', '', []],
  ['[source: 1]', '[1]', [1]],
  ['[Sources 1 and 9]', '[1]', [1]],
  ['[Quelle 2]', '[2]', [2]],
  ['[出典9]', '', []],
  ['[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]', '[1, 2, 12]', [1, 2, 12]],
  ['and [1', 'and', []],
  ['and [Source', 'and', []],
])('%j is a citation, however it is written', (text, passed, numbers) => {
  expect(cited(text)).toEqual({ passed, cited: numbers });
});

test.each([
  ['[1](https://evil.example/) there', '[1] there'],
  ['[1](https://evil.example/ "t") there', '[1] there'],
  ['[1](https://evil.example/a_(b)) there', '[1] there'],
  ['[1](<https://evil.example/a b>) there', '[1] there'],
  ["[1]( <https://evil.example/a b>\n 't (u)' ) there", '[1] there'],
  ['[1](https://evil.example/a b) there', '[1] b) there'],
  [`[1](https://evil.example/${'a'.repeat(5_000)}) there`, '[1] there'],
  ['[1](evil.example/a) there', '[1] there'],
  ['[1](/a) there', '[1] there'],
  ['[1](javascript:alert(1)) there', '[1] there'],
  ['[1, 2…](https://evil.example) there', '[1, 2…] there'],
  ['[1…, 9](https://evil.example) there', '[1…, 9] there'],
  ['[1](a) there', '[1] (a) there'],
  ['[1](see page 4) there', '[1] (see page 4) there'],
  ['[9](https://evil.example "t") there', ' there'],
  ['And [9](https://evil.example/a_(b))(https://evil.example/c).', 'And.'],
  ['[1][9](https://evil.example/)(https://evil.example/) there', '[1] there'],
  ['[1]<https://evil.example/> there', '[1] there'],
  ['[9[](https://evil.example/)] there', '[9…[](https://evil.example/)] there'],
  ['[2026](https://a.example/2026) there', '[2026](https://a.example/2026) there'],
  ['[(9)](https://evil.example/) there', '[(9)] there'],
  ['[`9`](https://evil.example/) there', '[`9`] there'],
  ['[1][ref] there', '[1] [ref] there'],
  ['[1][] there', '[1] there'],
  ['![1](https://evil.example/a.png)', '![1]'],
  ['[[1]](https://evil.example/) there', '[1] there'],
  ['[Opening hours [1]](https://evil.example/) there', '[Opening hours [1]] there'],
  ['[Source 1: hours](https://evil.example/) there', '[Source 1: hours] there'],
  ['Hours [1].\n\n[1]: https://evil.example/', 'Hours [1].\n\n[1]'],
  ['> - [1]: <https://evil.example/> "t"', '> - [1] "t"'],
  ['[1]:\nevil', '[1]\nevil'],
  ['> [1]:\n> https://evil.example/\nthere', '> [1]\nthere'],
  ['[1]: Opening hours', '[1] Opening hours'],
  ['[1]:(evil.html) there', '[1] there'],
  ['1. [1] https://evil.example/ there', '1. [1] there'],
  ['[1] https://a.example/hours', '[1] https://a.example/hours'],
  ['[1]: https://a.example/hours', '[1] https://a.example/hours'],
  ['[7]: https://a.example/', ''],
  ['Book here [1]: https://book.example/', 'Book here [1]: https://book.example/'],
])('no address of the model’s own goes with a number: %j', (text, passed) => {
  expect(cited(text).passed).toBe(passed);
});

test.each([
  '`list[7]` is code, and ``a ` [7]`` too',
  '```\nlist[7]\n```\n\n~~~ts\nlist[7]\n~~~',
  '1. Run\n\n   ```sh\n   echo [7](https://a.example)\n   ```',
  '1. Install\n    - Linux\n    - Mac\n\n    Run:\n\n    ```sh\n    m[7]\n    ```\n\nThen:\n\n```py\nrows[7]\n```',
  '- A\n    - B\n\n    ```sh\n    x[7]\n    ```\n\n`rows[7]`',
  '- Use it:\n```x = 1``` here\n\n`rows[7]`',
  '1. Do:\n   ```py\n   x[7]\n    ```\n\n`rows[7]`',
  '10. ```sh\n    x[7]\n    ```\n11. `rows[7]`',
  '```yaml\n- a\nb\n    c[7]\n```\n\n  ```py\n  rows[7]\n  ```',
  'See [array[0]](https://docs.example/a) or [10:30](https://book.example/).',
  '````md\n```\n[7](https://a.example)\n```\n````',
  'Take array[7], argv[7], myArray[7], i[7], my_list[7] and $row[7].',
  'A [link](https://a.example) and [x] and [] and [a1] and [7 days].',
  'In [2026], on [2026-01-07], at [12:30], as [7/8], [-7], [0-9] or [a-z0-9].',
  '- [ ] to do\n- [x] done\n\n[ref]: https://a.example',
  '(see [this](https://a.example "t")): yes',
])('%j is passed on as it is', (text) => {
  expect(cited(text)).toEqual({ passed: text, cited: [] });
});

test.each([
  ['a mark without an end', 'A lone ` and [7] here\nthen [7] there', 'A lone ` and here\nthen there'],
  ['pairs that lines change', '`a\nb` c [7](https://evil.example) `d`', '`a\nb` c `d`'],
  ['marks that are escaped', '\\`[7](https://evil.example)\\`', '\\`\\`'],
  ['a fence within a line', 'So ``` [7](https://evil.example)', 'So ```'],
  ['a fence that a longer one has closed', '```\na\n````\n[7](https://evil.example)', '```\na\n````\n'],
  ['a fence that ended with its item', '- a\n  ```\n[7](https://evil.example)', '- a\n  ```\n'],
  ['a fence in a quotation', '> ```\n[7](https://evil.example)', '> ```\n'],
  ['a fence that one less far in has closed', ' ~~~\n~~~\n[7](https://evil.example)', ' ~~~\n~~~\n'],
  ['a line less far in than its fence', ' ~~~\na\n~~~\n[7]', ' ~~~\na\n~~~\n'],
  ['a fence that one too far in has left open', '~~~\n    ~~~\n~~~\n[7]', '~~~\n    ~~~\n~~~\n'],
  ['a fence in an item that goes on', '- a\nb\n    ~~~\n  ~~~\n  [7]', '- a\nb\n    ~~~\n  ~~~\n'],
  ['a fence in what is no item', 'a\n\t- b\n      ~~~\n      [7]', 'a\n\t- b\n      ~~~\n'],
  ['a fence that is the address of a reference', '[a]:\n~~~\n[7]', '[a]:\n~~~\n'],
  ['a fence that has a mark behind it', '~~~`\nHours [7]', '~~~`\nHours'],
  ['a fence in an item of a tab', '-\ta\n\n\t~~~\n\t[7]', '-\ta\n\n\t~~~\n'],
  ['a fence that has been left half-way', '1. b\n  ~~~\n\n[7]', '1. b\n  ~~~\n\n'],
  ['a fence that is too far in', 'a\n    ```\n    [7](https://evil.example)', 'a\n    ```\n'],
  ['marks in an address', 'https://a.example/`[7]`', 'https://a.example/` `'],
  ['marks in HTML', '<a title="`"> [7](https://evil.example) `', '<a title="`"> `'],
  ['cells of a table', '| `a | [7](https://evil.example) | b` |', '| `a | | b` |'],
  ['marks that would become one', '``[7]`x [7](https://evil.example) `', '`` `x `'],
])('%s hides nothing as if it were code', (_, text, passed) => {
  expect(cited(text).passed.replace(/[ \t]+$/gm, '')).toBe(passed);
});

test('what one step of a turn says last goes with nothing that the next one says first', () => {
  const next = (before: string, text: string) => {
    const citations = new Citations(sources, before);
    return citations.push(text) + citations.end();
  };
  expect(next('Hours [1]', '(https://evil.example/)')).toBe('');
  expect(next('Hours [1]', '(see below)')).toBe('(see below)');
  expect(next('A `', '` [7] `')).toBe('` `');
});

test('a text of any length is judged in the time of its length', () => {
  const parts = [
    '[',
    '[1](',
    '[1](a',
    '`',
    '```\n',
    '[1, ',
    ' ',
    '[1]: ',
    '\\',
    '<a',
    '[Source ',
    '(((',
    '~',
    '【',
    '`a ',
    '[`',
  ];
  const count = (text: string) => {
    const citations = new Citations(sources);
    let most = 0;
    let ahead = 0;
    for (const character of text) {
      ahead += 1 - citations.push(character).length;
      most = Math.max(most, ahead);
    }
    return most;
  };
  // What is held back of text that stays has a bound, too.
  expect(count(`Word ${'x '.repeat(2_000)}`)).toBeLessThan(400);
  for (const part of parts) cited(part.repeat(20_000));
  // Whole lines in the square of their number would take minutes.
  for (const line of ['-\n', '-\n\n  ', '\t- a\n', '1. a\nb\n']) cited(line.repeat(250_000));
});

test('while a long text is judged, others have their turn', async () => {
  const text = '[1'.repeat(20_000);
  let turns = 0;
  let isOver = false;
  const take = () => {
    turns += 1;
    if (!isOver) setImmediate(take);
  };
  setImmediate(take);
  expect(await judgeWhole(new Citations(sources), text)).toBe(cited(text).passed);
  isOver = true;
  expect(turns).toBeGreaterThan(5);
});

/** The same texts in every run: who changes what is judged here looks at other ones, and at millions. */
const seed = 1;

test('however a text is cut into pieces, the same is passed on, and no piece is an invented citation', () => {
  const piece = fc.constantFrom(
    ...'Milk |[1]|[7]| [2, 9]|[|]|[[|]]|`|``|```\n|~~~\n|\n|\r\n|\n\n| |(|)|1|9|:|ä|\\|<|>|"|-|- |> || |'.split(
      '|',
    ),
    ...'(https://evil.example)|(<https://evil.example/a b>)|(a|https://evil.example |Source |【9】|†|argv|[ref]|[9'.split(
      '|',
    ),
    '|',
    '    ',
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 16 }),
      fc.array(fc.nat(40), { maxLength: 8 }),
      (pieces, cuts) => {
        const text = pieces.join('');
        const places = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].sort((a, b) => a - b);
        const citations = new Citations(sources);
        let passed = '';
        let from = 0;
        for (const place of [...places, text.length]) {
          passed += citations.push(text.slice(from, place));
          from = place;
        }
        passed += citations.end();
        expect(passed).toBe(cited(text).passed);
        // A turn that is gone on with reads its sources from what was passed on.
        if (!/[`~]/.test(text))
          expect(cited(passed).cited).toEqual(citations.cited.map(({ number }) => number));
        expect(foreign(passed)).toEqual([]);
      },
    ),
    { seed, numRuns: 5_000 },
  );
});

test('however far in fences of code and items of lists are, no citation between them is an invented one', () => {
  const piece = fc.constantFrom(
    '~~~\n',
    '~~~\n',
    '    ',
    '  ',
    ' ',
    '\t',
    '\n',
    '- a\n',
    '1. b\n',
    '-\n',
    'so [7]\n',
    '[7]',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      expect(foreign(cited(pieces.join('')).passed)).toEqual([]);
    }),
    { seed, numRuns: 5_000 },
  );
});
