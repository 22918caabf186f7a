/** A word of the reply whose arrival is timed: it stands in every kind of block. */
const marker = (number: number) => `k${String(number).padStart(4, '0')}`;

const section = (number: number) => {
  let next = number * 20;
  const key = () => marker(next++);
  return `## Route ${number}: along the canal ${key()}

The ride **begins at the old lock** and follows ${key()} the towpath for _eleven kilometres_. There is
a [map of it](https://example.com/routes/${number}) and the command \`route show ${number}\` prints ${key()} every turn.

- Before you leave ${key()}
  - pump the tyres to *4 bar*
  - take water and ${key()} a spare tube
    - size 28, narrow ${key()}
- On the way
  1. The second bridge ${key()}
  2. The ferry, which runs **hourly** ${key()}

| Stop | Distance | Open | Note |
|:-----|---------:|:----:|:-----|
| Lock | 0.0 km | yes | ${key()} |
| Mill | 4.2 km | no | coffee ${key()} |
| Ferry | 7.9 km | yes | cash only ${key()} |
| Station | 11.3 km | yes | ${key()} |

\`\`\`js
const stops = await route(${number}).stops(); // ${key()}
for (const stop of stops) {
  if (stop.open) console.log(stop.name, '${key()}');
}
\`\`\`

> Mind the gate after the mill: it ${key()} closes at dusk.

`;
};

/** About what a language model calls a token: a short word, part of a long one, a mark, white space. */
const tokensOf = (text: string) => text.match(/ ?k\d{4}| ?[A-Za-z]{1,6}| ?\d{1,3}|\n+| +|[^\w\s]/g) ?? [];

const length = 2_000;
const end = tokensOf(`\n\nThat is all ${marker(9_999)}`);

/** A long answer: headings, nested lists, tables, code. */
export const replyTokens: readonly string[] = [
  ...tokensOf(Array.from({ length: 12 }, (_, index) => section(index + 1)).join('')).slice(
    0,
    length - end.length,
  ),
  ...end,
];

/** The timed words in the order in which they are written. */
export const replyMarkers: readonly string[] = replyTokens.flatMap((token) => token.match(/k\d{4}/g) ?? []);
