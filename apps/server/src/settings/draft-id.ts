const draftSuffix = '.draft';
const trialSuffix = '.trial';

/**
 * The agent that sessions with a draft are with. It is another one than the agent that is live: neither's sessions are
 * found, counted or listed with the other's.
 */
export const draftId = (agentId: string): string => agentId + draftSuffix;

/** The agent, or the draft, that answers what somebody tries it with: yet another one, for the same reason. */
export const trialId = (id: string): string => id + trialSuffix;

export const isTrialId = (id: string): boolean => id.endsWith(trialSuffix);

export const isDraftId = (id: string): boolean => untried(id).endsWith(draftSuffix);

/** The agent whose draft it is, or which it is itself. */
export const publishedId = (id: string): string => without(untried(id), draftSuffix);

const untried = (id: string): string => without(id, trialSuffix);

const without = (id: string, suffix: string): string =>
  id.endsWith(suffix) ? id.slice(0, -suffix.length) : id;
