/** Part of a list; `next` is where the rest of it begins, null at its end. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}
