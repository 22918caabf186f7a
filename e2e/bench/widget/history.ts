const turns = 500;
const digits = 4;
const padded = (turn: number) => String(turn).padStart(digits, '0');

/** What the visitor said in a turn, from 1 on. */
const question = (turn: number) => `q${padded(turn)} Which of the stops are open then?`;

/** What matches a question; its group is the turn. */
export const questionPattern = `q(\\d{${digits}})`;

/** The answer to it: markdown with a table. `turn` has four digits. */
export const answer = (turn: string) => `**Two of them**, as far as I know:

| Stop | Distance | Open |
|:-----|---------:|:----:|
| Lock | 0.0 km | yes |
| Mill | 4.2 km | no |
| Ferry | 7.9 km | yes |

- The *ferry* takes \`cash\` only.
- The mill opens [in spring](https://example.com/mill).

Have a good ride! a${turn}`;

/** A conversation of 1,000 messages. */
export const history: readonly { question: string; answer: string }[] = Array.from(
  { length: turns },
  (_, index) => ({ question: question(index + 1), answer: answer(padded(index + 1)) }),
);

/** Occurs once in every message. */
export const messageMarker = /[qa]\d{4}/g;
export const firstMarker = `q${padded(1)}`;
export const lastMarker = `a${padded(turns)}`;
