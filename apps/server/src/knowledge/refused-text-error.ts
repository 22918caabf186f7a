/** The provider rejected these texts; it may accept others. */
export class RefusedTextError extends Error {
  override readonly name = 'RefusedTextError';
}
