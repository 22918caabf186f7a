import type { FailureCause } from '@parley/protocol/failure-cause';

/** What to do about it, for whoever looks at the form. */
const sentences: Partial<Record<FailureCause['code'], string>> = {
  MODEL_KEY_REJECTED: 'The provider does not accept the API key. Enter it again, or make a new one there.',
  MODEL_NOT_FOUND: 'The provider knows no model of this name, or nothing answers at its address.',
  MODEL_MISCONFIGURED: 'Something is missing or not right: most often the API key.',
  MODEL_UNREACHABLE: 'The provider could not be reached, or has trouble of its own. Try again in a moment.',
  MODEL_TIMED_OUT: 'It did not answer within 20 seconds.',
  MODEL_RATE_LIMITED:
    'The provider takes no more for now: its limit, or the credit of your account, is used up.',
  MODEL_REJECTED: 'The provider refuses the request: the model may not take the settings of the agent.',
  MODEL_MALFORMED: 'What answers there does not speak as this provider does.',
};

export const causeSentence = (cause: FailureCause): string => sentences[cause.code] ?? cause.message;

/** The same of a trial: models that take no reasoning, or not this much, refuse the whole request. */
export const trialSentence = (cause: FailureCause, effort: string): string =>
  cause.code === 'MODEL_REJECTED' && effort !== ''
    ? 'The provider refuses the request: the model may not take the reasoning that is chosen below. Choose another and test again.'
    : causeSentence(cause);
