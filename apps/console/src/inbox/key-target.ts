interface Looked {
  /** What keys can answer, in the order in which it is shown. */
  readonly shown: readonly string[];
  /** The one that has the focus. */
  readonly focused: string | null;
  /** The one that somebody has said they look at. */
  readonly aimed: string | null;
}

/**
 * What a key that answers is pressed for: the one that has the focus, or the only one there is. It is answered where
 * somebody has said that they look at it, and else they are shown it first: it may have come while they pressed the key, in
 * the place of one that a colleague has just answered.
 */
export function keyTarget({ shown, focused, aimed }: Looked): { id: string; isAimed: boolean } | null {
  const isAimed = aimed !== null && shown.includes(aimed);
  const [first] = shown;
  const id = focused ?? (isAimed ? aimed : first);
  if (id === undefined) return null;
  return { id, isAimed: id === aimed && (focused !== null || shown.length === 1) };
}
