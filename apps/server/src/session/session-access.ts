import type { SessionRecord } from '../store/session-store.ts';
import type { EnqueueRequest } from '../store/queue-store.ts';

export type Owner = Pick<SessionRecord, 'tenantId' | 'agentId'>;

/** Who asks for a session: somebody of this agent, and the visitor they have proved to be. */
export interface SessionAccess extends Owner {
  readonly visitor: string | null;
  /** Sessions of every visitor are theirs: the tenant's own server. */
  readonly forAnyVisitor: boolean;
}

/** Whose the session has to be still, when what they sent is accepted. */
export function sender({ visitor, forAnyVisitor }: SessionAccess): Pick<EnqueueRequest, 'visitor'> {
  return forAnyVisitor ? {} : { visitor };
}
