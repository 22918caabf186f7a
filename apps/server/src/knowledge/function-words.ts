import { ara, deu, eng, fra, heb, jpn, por, spa, zho } from 'stopword';
import { termsOf } from './terms.ts';

/** What questions are asked with, and the list of no language has. */
const asking =
  'do does did how what when where which who whom why can could should would will shall may might must i me my we our you your it its there here this that these those into from out up down off over under than then them they their';

/** Made with the first question, and not with every start. */
let known: ReadonlySet<string> | null = null;

/** The terms of words that hold sentences together and say nothing about what is asked. */
export function functionTerms(): ReadonlySet<string> {
  known ??= new Set(
    [...ara, ...deu, ...eng, ...fra, ...heb, ...jpn, ...por, ...spa, ...zho, asking].flatMap(termsOf),
  );
  return known;
}
