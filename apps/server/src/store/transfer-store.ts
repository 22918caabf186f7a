import type { SessionRecord } from './session-store.ts';

/** The right to go on with somebody's conversation in another browser, which whoever has the token takes once. */
export interface TransferStore {
  /** In place of the one before. False: there is no such session. */
  saveTransfer(sessionId: string, digest: string, ttlMs: number): Promise<boolean>;

  /**
   * Takes it: the id of the session, which is one of this owner and nobody's in particular. Null when there is none, or
   * its time is over. Of those who take one at once, one has it.
   */
  takeTransfer(owner: Pick<SessionRecord, 'tenantId' | 'agentId'>, digest: string): Promise<string | null>;

  /** Nobody takes the one of this session any more. */
  removeTransfer(sessionId: string): Promise<void>;
}
