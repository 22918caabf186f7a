/** Why a command did nothing, in words for whoever gave it. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
