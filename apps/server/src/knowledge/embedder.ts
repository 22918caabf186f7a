/** Turns texts into vectors whose directions say what they are about. */
export interface Embedder {
  /** Whose vectors can be compared with each other. */
  readonly model: string;
  /** One for each text, of length one. Rejects when the provider cannot: with `RefusedTextError` where that is for the texts. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
}
