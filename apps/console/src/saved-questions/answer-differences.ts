import type { QuestionTrialView } from '@parley/protocol/settings/question-trial';

/** What the draft's answer has beside the live one, in words; nothing where they are alike. */
interface AnswerDifferences {
  readonly length: string | null;
  readonly time: string | null;
  /** Sources that only the draft names, and that only live names, by title. */
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

/** Of the longer answer: fewer words are no difference. */
const leastLength = 0.2;
/** Time differs from call to call: what nobody feels is not said. */
const leastMs = 1_000;

type Answered = Pick<QuestionTrialView, 'text' | 'durationMs' | 'sources'>;

export function answerDifferences(draft: Answered, live: Answered): AnswerDifferences {
  const [words, wordsLive] = [wordCount(draft.text), wordCount(live.text)];
  const more = words - wordsLive;
  const isLonger = Math.abs(more) > leastLength * Math.max(words, wordsLive);
  const slower = draft.durationMs - live.durationMs;
  const seconds = (Math.abs(slower) / 1_000).toFixed(1);
  return {
    length: isLonger ? `${counted(Math.abs(more), 'word')} ${more > 0 ? 'longer' : 'shorter'}` : null,
    time: Math.abs(slower) < leastMs ? null : `${seconds} s ${slower > 0 ? 'slower' : 'faster'}`,
    gained: missingIn(draft, live),
    lost: missingIn(live, draft),
  };
}

const missingIn = ({ sources }: Answered, other: Answered): readonly string[] => {
  const known = new Set(other.sources.map(placeOf));
  return [...new Set(sources.filter((source) => !known.has(placeOf(source))).map(({ title }) => title))];
};

/** The number is the place in one answer, and says nothing of another. */
const placeOf = ({ url, title }: Answered['sources'][number]): string => url ?? title;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** In every language, also where words are not parted by spaces. */
const wordCount = (text: string): number =>
  [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length;

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
