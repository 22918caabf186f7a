import type { ToolSource } from '../source.ts';
import { askQuestion } from './ask-question.ts';

/** Every agent may ask where somebody is there to answer. */
export const questionSource: ToolSource = {
  load: () =>
    Promise.resolve({
      forSession: ({ canRequestInput }) => (canRequestInput ? [askQuestion] : []),
      close: () => Promise.resolve(),
    }),
};
