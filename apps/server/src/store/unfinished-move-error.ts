/** A database that a move from another engine has filled in part. The message says all that the operator needs. */
export class UnfinishedMoveError extends Error {
  override readonly name = 'UnfinishedMoveError';
}
