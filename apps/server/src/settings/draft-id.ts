const suffix = '.draft';

/**
 * The agent that sessions with a draft are with. It is another one than the agent that is live: neither's sessions are
 * found, counted or listed with the other's.
 */
export const draftId = (agentId: string): string => agentId + suffix;

export const isDraftId = (id: string): boolean => id.endsWith(suffix);

/** The agent whose draft it is, or which it is itself. */
export const publishedId = (id: string): string => (isDraftId(id) ? id.slice(0, -suffix.length) : id);
