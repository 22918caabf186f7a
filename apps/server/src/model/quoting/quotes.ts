import { z } from 'zod';
import { functionTerms } from '../../knowledge/function-words.ts';
import { termsOf } from '../../knowledge/terms.ts';

/** Quotes of one answer, and characters of one of them. */
const maxQuotes = 2;
const longest = 420;
/** What a further quote must say of what is asked, beside the best one. */
const leastShare = 0.7;

const resultSchema = z.object({
  passages: z.array(z.object({ number: z.number(), title: z.string(), text: z.string() })),
});

type Passage = z.infer<typeof resultSchema>['passages'][number];

export interface Quote {
  readonly number: number;
  readonly text: string;
}

/** The passages in the result of a search; none in one that failed. */
export function readPassages(result: string): readonly Passage[] {
  try {
    return resultSchema.parse(JSON.parse(result)).passages;
  } catch {
    return [];
  }
}

/** What the best passages say of a question, in their order: the first one's best sentences, and those of one as good. */
export function bestQuotes(question: string, passages: readonly Passage[]): readonly Quote[] {
  const said = passages.map(({ title, text }) => new Set([...termsOf(title), ...termsOf(text)]));
  const asked = termsOf(question);
  // What holds sentences together stands everywhere: a passage that has nothing else of a question says nothing of it.
  const telling = asked.filter((term) => !functionTerms().has(term));
  const weights = new Map(
    (telling.length > 0 ? telling : asked).map((term) => {
      const holding = said.filter((terms) => terms.has(term)).length;
      return [term, holding === 0 ? 0 : Math.log(1 + passages.length / holding)];
    }),
  );
  const weigh = (terms: Iterable<string>) =>
    [...new Set(terms)].reduce((sum, term) => sum + (weights.get(term) ?? 0), 0);
  const found = passages.map((passage, index) => ({ passage, weight: weigh(said[index]!) }));
  const best = Math.max(0, ...found.map(({ weight }) => weight));
  if (best === 0) return [];
  return found
    .filter(({ weight }, index) => index === 0 || weight >= best * leastShare)
    .slice(0, maxQuotes)
    .map(({ passage: { number, text } }) => ({ number, text: excerpt(text, weigh) }));
}

/** The neighbouring sentences that weigh most together, as many as one quote may have. */
function excerpt(text: string, weigh: (terms: Iterable<string>) => number): string {
  // What looks like a citation in a document is none of this answer.
  const whole = text.replaceAll(/\s*\[\d[\d,; ]*\]/g, '').trim();
  if (whole.length <= longest) return whole;
  const sentences = sentencesOf(whole);
  let best = { weight: -1, text: '' };
  for (const [first] of sentences.entries()) {
    let said = '';
    for (const sentence of sentences.slice(first)) {
      if (said !== '' && said.length + sentence.length > longest) break;
      said += sentence;
    }
    const weight = weigh(termsOf(said));
    if (weight > best.weight) best = { weight, text: said };
  }
  const cut = best.text.trim();
  return cut.length <= longest ? cut : `${cut.slice(0, longest).toWellFormed().trimEnd()}…`;
}

/** What ends emphasis behind a full stop belongs to the sentence before: a quote has no mark without its other half. */
function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  for (const { segment } of new Intl.Segmenter('und', { granularity: 'sentence' }).segment(text)) {
    const [mark = ''] = sentences.length > 0 ? (/^[*_]{1,3}\s+/.exec(segment) ?? []) : [];
    if (mark !== '') sentences.push(sentences.pop() + mark);
    if (segment.length > mark.length) sentences.push(segment.slice(mark.length));
  }
  return sentences;
}
