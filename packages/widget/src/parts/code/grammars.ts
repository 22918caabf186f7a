export type Kind =
  | 'comment'
  | 'string'
  | 'number'
  | 'keyword'
  | 'name'
  | 'type'
  | 'inserted'
  | 'deleted'
  /** Decided by the grammar's keywords. */
  | 'word';

/**
 * What may stand at a place, tried in order; `null` is plain text, and the name of another mode is where it leads. Every
 * pattern takes what it has looked at or looks no further than a token: that keeps a text's cost in step with its length.
 * So what is not closed reaches to the end, and words are taken whole. (Prism 1.30 and speed-highlight 2.1 need up to two
 * seconds for 20,000 hostile characters.)
 */
export type Rule = readonly [kind: Kind | null, pattern: string, mode?: string];
export type Grammar = {
  /** The first is where a text begins. */
  modes: Record<string, readonly Rule[]>;
  keywords?: string;
  ignoreCase?: true;
};

const block: Rule = ['comment', String.raw`/\*(?:[^*]|\*(?!/))*(?:\*/)?`];
const slashes: Rule = ['comment', '//.*'];
const hash: Rule = ['comment', String.raw`(?<![^\s;])#.*`];
const double: Rule = ['string', String.raw`"(?:[^"\\\n]|\\[^])*"?`];
const single: Rule = ['string', String.raw`'(?:[^'\\\n]|\\[^])*'?`];
const backticks: Rule = ['string', '`(?:[^`\\\\]|\\\\[^])*`?'];
const character: Rule = ['string', String.raw`'(?:\\[^'\n]{1,10}|[^'\\\n])'`];
const number: Rule = ['number', String.raw`\.?\d[\w.]*`];
const word: Rule = ['word', String.raw`[A-Za-z_$][\w$]*`];
const decorator: Rule = ['name', String.raw`@\w+`];

const tagName = String.raw`</?[A-Za-z][\w:.-]*`;
const attributes: readonly Rule[] = [
  ['string', '"[^"]*"?'],
  ['string', "'[^']*'?"],
  ['name', String.raw`[^\s"'<>/=]+`],
];

const javascript: readonly Rule[] = [
  slashes,
  block,
  double,
  single,
  backticks,
  ['string', String.raw`/(?<=(?:[(=,:[!&|?{};]\s*|\breturn )/)(?:[^/\\\n]|\\.)+/[a-z]*`],
  number,
  decorator,
  word,
];
const jsx: readonly Rule[] = [
  ['type', String.raw`(?<![\w$)\]])${tagName}`],
  ['name', String.raw`[A-Za-z][\w-]*(?=="|=\{)`],
  ...javascript,
];
const javascriptWords =
  'as async await break case catch class const continue debugger default delete do else enum export extends finally for ' +
  'from function get if implements import in instanceof interface let new of readonly return satisfies set static super ' +
  'switch this throw try type typeof var void while with yield true false null undefined';
const typescriptWords =
  `${javascriptWords} abstract any asserts bigint boolean declare infer is keyof namespace never number object override ` +
  'private protected public string symbol unknown';

const css: readonly Rule[] = [
  block,
  double,
  single,
  ['keyword', String.raw`@[\w-]+|!\w+`],
  ['number', String.raw`#[\da-fA-F]{3,8}(?![\w-])`],
  ['name', String.raw`-{0,2}[A-Za-z][\w-]*(?=:\s)|[A-Za-z][\w-]*(?=\()`],
  ['number', String.raw`[+-]?\.?\d[\w.%]*`],
  ['type', String.raw`[.#][\w-]+`],
  [null, String.raw`[\w-]+`],
];

const family: Grammar = {
  modes: {
    main: [
      slashes,
      block,
      ['keyword', String.raw`#[a-z]+`],
      double,
      character,
      backticks,
      number,
      decorator,
      word,
    ],
  },
  keywords:
    'abstract as async auto await bool boolean break byte case catch chan char class const constexpr continue data default ' +
    'defer delete do double dyn else enum explicit export extends extern final finally float fn for foreach fun func go goto ' +
    'guard if impl implements import in inline int interface internal is let long loop map match mod module move mut mutable ' +
    'namespace new nil null nullptr object open operator out override package private protected pub public range readonly ' +
    'ref return sealed select self short signed sizeof static struct super switch template this throw throws trait try type ' +
    'typedef typename unsafe unsigned use using val var virtual void volatile when where while true false',
};

export const grammars: Record<string, Grammar> = {
  js: { modes: { main: javascript }, keywords: javascriptWords },
  ts: { modes: { main: javascript }, keywords: typescriptWords },
  jsx: { modes: { main: jsx }, keywords: typescriptWords },
  json: {
    modes: {
      main: [
        slashes,
        block,
        ['name', String.raw`"(?:[^"\\\n]|\\.)*"(?=\s*:)`],
        double,
        ['number', String.raw`-?\d[\w.+-]*`],
        word,
      ],
    },
    keywords: 'true false null',
  },
  python: {
    modes: {
      main: [
        ['comment', '#.*'],
        ['string', String.raw`[bBfFrRuU]{0,2}"""(?:[^"\\]|\\[^]|"(?!""))*(?:""")?`],
        ['string', String.raw`[bBfFrRuU]{0,2}'''(?:[^'\\]|\\[^]|'(?!''))*(?:''')?`],
        ['string', String.raw`[bBfFrRuU]{0,2}"(?:[^"\\\n]|\\[^])*"?`],
        ['string', String.raw`[bBfFrRuU]{0,2}'(?:[^'\\\n]|\\[^])*'?`],
        number,
        decorator,
        word,
      ],
    },
    keywords:
      'and as assert async await break case class continue def del elif else except finally for from global if import in is ' +
      'lambda match nonlocal not or pass raise return self try while with yield True False None',
  },
  bash: {
    modes: {
      main: [
        hash,
        ['string', String.raw`"(?:[^"\\]|\\[^])*"?`],
        ['string', "'[^']*'?"],
        [null, String.raw`\\[^]?`],
        ['name', String.raw`\$(?:\{[^}\n]*\}?|\w+|[@#?*!$-])|(?<=\s)--?\w[\w-]*`],
        ['number', String.raw`\d+(?![\w./@:-])`],
        ['word', String.raw`[\w./@:-]+`],
      ],
    },
    keywords:
      'if then else elif fi for while until do done case esac in function return exit local export unset source set echo cd ' +
      'sudo',
  },
  html: {
    modes: {
      main: [
        ['comment', '<!--(?:[^-]|-(?!->))*(?:-->)?'],
        ['keyword', String.raw`<[!?]\w+`, 'tag'],
        ['keyword', String.raw`<script(?![\w:.-])`, 'scriptTag'],
        ['keyword', String.raw`<style(?![\w:.-])`, 'styleTag'],
        ['keyword', tagName, 'tag'],
        ['number', String.raw`&#?\w+;?`],
        [null, '[^<&]+'],
      ],
      tag: [['keyword', '[/?]?>', 'main'], ...attributes],
      scriptTag: [['keyword', '/>', 'main'], ['keyword', '>', 'script'], ...attributes],
      styleTag: [['keyword', '>', 'style'], ...attributes],
      script: [[null, '(?=</script)', 'main'], ...javascript],
      style: [[null, '(?=</style)', 'main'], ...css],
    },
    keywords: javascriptWords,
  },
  css: { modes: { main: [...css, slashes] } },
  sql: {
    modes: {
      main: [['comment', '--.*'], block, ['string', "'[^']*'?"], ['name', '"[^"]*"?|`[^`]*`?'], number, word],
    },
    keywords:
      'add all alter and as asc begin between by case cast check column commit constraint create cross database default ' +
      'delete desc distinct drop else end except exists false foreign from full group having if ilike in index inner insert ' +
      'intersect into is join key left like limit not null offset on or order outer over partition primary references ' +
      'returning right rollback select set table then transaction true truncate union unique update using values view when ' +
      'where with',
    ignoreCase: true,
  },
  yaml: {
    modes: {
      main: [
        [null, String.raw`\s+|- +`],
        ['comment', '#.*'],
        ['keyword', String.raw`---.*`],
        ['name', String.raw`[^\s#\-?:,[\]{}&*!|>'"%@][^:#\n]*(?=:(?:\s|$))`, 'value'],
        [null, '(?=[^])', 'value'],
      ],
      value: [
        [null, '\n', 'main'],
        [null, '[ \\t]+'],
        hash,
        double,
        single,
        ['type', String.raw`[&*!]\S*`],
        ['number', String.raw`(?:[+-]?\.?\d[\d._]*|true|false|null|yes|no|~)(?![^\s,\]}])`],
        ['name', String.raw`[\w-]+(?=:\s)`],
        [null, String.raw`[^\s,[\]{}]+`],
      ],
    },
  },
  diff: {
    modes: {
      main: [
        ['type', '(?:diff |index |--- |\\+\\+\\+ |@@).*\n?'],
        ['inserted', '\\+.*\n?'],
        ['deleted', '-.*\n?'],
        [null, '.+\n?|\n'],
      ],
    },
  },
  family,
  php: {
    modes: { main: [slashes, block, hash, double, single, number, ['type', String.raw`<\?php|\?>`], word] },
    keywords: `${family.keywords} array echo elseif function instanceof require require_once include`,
  },
};
