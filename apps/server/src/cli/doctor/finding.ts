/** What was looked at, in a sentence. */
export interface Finding {
  readonly text: string;
  /** The line that mends it; absent where nothing is wrong. */
  readonly mend?: string;
}
