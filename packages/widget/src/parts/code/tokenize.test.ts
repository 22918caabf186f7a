import { expect, test } from 'vitest';
import { ownTime } from '../own-time.ts';
import { grammars } from './grammars.ts';
import { grammarOf } from './grammar-of.ts';
import { tokenize } from './tokenize.ts';

const languages = Object.keys(grammars);

/** Which pieces of a code are told apart, as `kind:text`. */
const told = (language: string, text: string) =>
  tokenize(text, language).flatMap((token) => (token.kind ? [`${token.kind}:${token.text}`] : []));

test.each([
  ['js', "const a = 'b\\'c'; // d", ['keyword:const', "string:'b\\'c'", 'comment:// d']],
  [
    'js',
    'return /a"b/.test(x1) ? 0x1f : `${y}`',
    ['keyword:return', 'string:/a"b/', 'name:test', 'number:0x1f', 'string:`${y}`'],
  ],
  ['js', 'a = b / c / d', []],
  [
    'ts',
    'let id: string /* two\nlines */ = new Map<Key, T>()',
    ['keyword:let', 'keyword:string', 'comment:/* two\nlines */', 'keyword:new', 'type:Map', 'type:Key'],
  ],
  ['jsx', '<Row key={a<b} name="x"/>', ['type:<Row', 'name:key', 'name:name', 'string:"x"']],
  [
    'json',
    '{"a": "b", "c": [-1.5e+3, true]}',
    ['name:"a"', 'string:"b"', 'name:"c"', 'number:-1.5e+3', 'keyword:true'],
  ],
  [
    'python',
    '@cached\ndef f(x):  # y\n  return f"""a"b"""',
    ['name:@cached', 'keyword:def', 'name:f', 'comment:# y', 'keyword:return', 'string:f"""a"b"""'],
  ],
  [
    'bash',
    'for f in $HOME/*.md; do grep -n \'a b\' "$f"; done # x#y',
    [
      'keyword:for',
      'keyword:in',
      'name:$HOME',
      'keyword:do',
      'name:-n',
      "string:'a b'",
      'string:"$f"',
      'keyword:done',
      'comment:# x#y',
    ],
  ],
  [
    'html',
    '<p class="a">it\'s &amp; <b>5</b></p><!-- - -->',
    [
      'keyword:<p',
      'name:class',
      'string:"a"',
      'keyword:>',
      'number:&amp;',
      'keyword:<b>',
      'keyword:</b></p>',
      'comment:<!-- - -->',
    ],
  ],
  [
    'html',
    '<script src=a>let b</script><i>let</i>',
    ['keyword:<script', 'name:src', 'name:a', 'keyword:>let', 'keyword:</script><i>', 'keyword:</i>'],
  ],
  [
    'css',
    '.a:hover { color: #fff; margin: -4px var(--b) }',
    ['type:.a', 'name:color', 'number:#fff', 'name:margin', 'number:-4px', 'name:var'],
  ],
  [
    'sql',
    "SELECT a FROM b -- c\nWHERE d = 'it''s'",
    ['keyword:SELECT', 'keyword:FROM', 'comment:-- c', 'keyword:WHERE', "string:'it''s'"],
  ],
  [
    'yaml',
    'a b: c # d\n- e: "f"\n  g: 12\nurl: http://h',
    ['name:a b', 'comment:# d', 'name:e', 'string:"f"', 'name:g', 'number:12', 'name:url'],
  ],
  ['diff', '@@ -1 +1 @@\n-a\n+b\n c', ['type:@@ -1 +1 @@\n', 'deleted:-a\n', 'inserted:+b\n']],
  [
    'family',
    "func f(c rune) { return 'x' } // a 'b",
    ['keyword:func', 'name:f', 'keyword:return', "string:'x'", "comment:// a 'b"],
  ],
  ['php', "<?php echo $a . 'b'; # c", ['type:<?php', 'keyword:echo', "string:'b'", 'comment:# c']],
])('%s: %s', (language, text, expected) => {
  expect(told(language, text)).toEqual(expected);
});

test('the names that authors write behind a fence lead to a grammar, others to none', () => {
  expect(['TypeScript', 'tsx', 'yml', 'sh', 'rust', 'html'].map(grammarOf)).toEqual([
    'ts',
    'jsx',
    'yaml',
    'bash',
    'family',
    'html',
  ]);
  expect(['', 'text', 'mermaid', 'constructor'].map(grammarOf)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

const probes = [
  '"',
  "'",
  '`',
  '\\',
  '/',
  '(',
  '[',
  '{',
  '<',
  '>',
  '#',
  '-',
  '+',
  '@',
  '$',
  '&',
  '!',
  '?',
  '=',
  ':',
  ',',
  '.',
  '*',
  '|',
  ' ',
  '\n',
  '\t',
  'a',
  'A',
  '1',
  '_',
  'é',
  '/*',
  '*/',
  '//',
  '<!--',
  '-->',
  '--',
  '"""',
  "'''",
  '${',
  '$(',
  '`${',
  '"\\',
  "'\\",
  "\\'",
  '(/',
  '=/',
  '/\\/',
  '=/[',
  '(/\\',
  '<a ',
  '<a b="',
  '</',
  '<script>',
  '</script',
  '<style>',
  'a: ',
  '- ',
  '- \n',
  ': ',
  '::',
  'a:',
  'a b ',
  '"a" ',
  '"a":',
  'a(',
  'a.',
  'a=',
  'a="',
  'x<',
  '0x',
  '1.',
  '1a',
  '#a',
  '@a ',
  '&a',
  '&#',
  '!a ',
  '=> ',
  'f"{',
  'r"',
  '|-\n',
  '{}',
  '[[]]',
  'return /',
  '\r\n',
  '+\n',
  '-- ',
  '\u2028',
];

const tries = 4;

test.each(languages)(
  '%s: of hostile texts nothing is lost, and they cost no more than their length',
  (language) => {
    for (const probe of probes)
      for (const before of language === 'html' ? ['', '<script>'] : ['']) {
        const textOf = (length: number) => before + probe.repeat(length / probe.length);
        const time = (length: number) => {
          const text = textOf(length);
          return ownTime(() => tokenize(text, language));
        };
        const long = textOf(20_000);
        const pieces = tokenize(long, language).map(({ text }) => text);
        expect(pieces.join('')).toBe(long);
        // Eight times the text: linear is 8, quadratic 64. The floor keeps clock noise out, another try collected garbage.
        const isLinear = () => time(20_000) / Math.max(time(2_500), 2) < 32;
        expect(Array.from({ length: tries }).some(isLinear), JSON.stringify(probe)).toBe(true);
      }
  },
);
