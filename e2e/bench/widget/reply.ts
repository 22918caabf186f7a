/** A word of the reply whose arrival is timed: it stands in every kind of block. */
const marker = (number: number) => `k${String(number).padStart(4, '0')}`;

const section = (number: number) => {
  let next = number * 20;
  const key = () => marker(next++);
  return `## Route ${number}: along the canal ${key()}

The ride **begins at the old lock** and follows ${key()} the towpath for _eleven kilometres_. There is
a [map of it](https://example.com/routes/${number}) and the command \`route show ${number}\` prints ${key()} every turn.

Families usually appreciate the comfortable gravel surface between both settlements ${key()}, although experienced
cyclists sometimes consider the neighbouring mountain tracks considerably more rewarding. Afternoon thunderstorms happen
regularly during midsummer, therefore starting before breakfast remains sensible ${key()}. Refreshments, bathrooms and sheltered picnic tables become available approximately halfway.

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

/** About what a language model calls a token: a word with the space before it, a few marks, line breaks. */
const tokensOf = (text: string) => text.match(/ ?k\d{4}| ?[A-Za-z]+| ?[\d.]+|\s+| ?[^\w\s]{1,4}/g) ?? [];

const length = 2_000;
const sections = 6;
const body = tokensOf(Array.from({ length: sections }, (_, index) => section(index + 1)).join(''));
const end = tokensOf(` and that is all ${marker(9_999)}`);
const filling = Array.from(
  { length: length - body.length - end.length },
  (_, index) => [' and', ' then', ' on'][index % 3]!,
);

/** A long answer of about 8 kB: headings, nested lists, tables, code. */
export const replyTokens: readonly string[] = [...body, ...filling, ...end];

/** The timed words in the order in which they are written. */
export const replyMarkers: readonly string[] = replyTokens.flatMap((token) => token.match(/k\d{4}/g) ?? []);
