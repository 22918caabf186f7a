/** For how long an agent that was asked for is not asked for again: it may be deleted, or could not be read. */
const askAgainMs = 50_000;

interface OfAgent {
  readonly agentId: string;
}

/**
 * Tells of rows whether one is of an agent that is not among those that are known, and that nobody has asked for lately.
 * By then it is asked for.
 */
export function unknownAgents() {
  const askedAt = new Map<string, number>();
  return (rows: readonly OfAgent[], known: readonly { readonly id: string }[]): boolean => {
    const now = performance.now();
    for (const [id, at] of askedAt) if (now - at >= askAgainMs) askedAt.delete(id);
    const ids = new Set(known.map(({ id }) => id));
    const before = askedAt.size;
    for (const { agentId } of rows) if (!ids.has(agentId) && !askedAt.has(agentId)) askedAt.set(agentId, now);
    return askedAt.size > before;
  };
}
