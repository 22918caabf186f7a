/** Somebody has asked how a command is called, and it does nothing else. */
export class HelpRequestedError extends Error {
  override readonly name = 'HelpRequestedError';
}
