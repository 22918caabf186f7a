const words: Readonly<Record<string, string>> = {
  MODEL_KEY_REJECTED: 'The provider refused the key.',
  MODEL_NOT_FOUND: 'The provider does not know the model.',
  MODEL_NOT_ALLOWED: 'The service may not call the provider’s address.',
  MODEL_MISCONFIGURED: 'The model is not set up completely.',
  MODEL_UNREACHABLE: 'The provider could not be reached.',
  MODEL_TIMED_OUT: 'The provider took too long.',
  MODEL_RATE_LIMITED: 'The provider allowed no more requests.',
  MODEL_REJECTED: 'The provider refused the request.',
  MODEL_MALFORMED: 'The provider’s answer could not be read.',
  CONTEXT_TOO_LONG: 'The conversation was too long for the model.',
  MODEL_CALL_FAILED: 'The model could not answer.',
  TURN_TIMEOUT: 'The turn took too long.',
  QUOTA_EXCEEDED: 'The agent’s budget for the day was spent.',
  INTERNAL: 'Something went wrong in the service.',
};

/** Why a turn failed, as a sentence. */
export const causeWords = (cause: string): string => words[cause] ?? 'Another cause.';
