/** Why a database cannot be moved. The message says all that the operator needs. */
export class MoveError extends Error {
  override readonly name = 'MoveError';
}
