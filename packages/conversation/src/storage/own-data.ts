import { askForReadyMail, type ReadyMailRequest } from '@parley/client/ask-for-ready-mail';
import { deleteSession } from '@parley/client/delete-session';
import { downloadTranscript } from '@parley/client/download-transcript';
import { claimTransfer } from '@parley/client/transfer-session';
import { listSessions } from '@parley/client/list-sessions';
import type { ConversationCore } from '../conversation-core.ts';
import { createHandOver } from './hand-over.ts';

/** What visitors may do with what is stored of them. Each rejects with a `ParleyError`. */
export const ownData = (core: ConversationCore) => {
  const { state, connection, identity, forget } = core;
  return {
    /** The conversation as a file; null without one. */
    async download() {
      const session = state.session.value;
      return session && downloadTranscript(connection, session.sessionId);
    },
    /** Has the conversation deleted at the service, and then forgotten in every tab. */
    async erase(): Promise<void> {
      const session = state.session.value;
      if (!session) return;
      await deleteSession(connection, session);
      if (state.session.value?.sessionId === session.sessionId) forget(identity.visitor.value);
    },
    /**
     * Has every conversation of an identified visitor deleted at the service, and then all of them forgotten in every tab.
     * `erased` is told after each how many are gone. What fails on the way can be asked for again, and goes on there.
     */
    async eraseAll(erased: (count: number) => void): Promise<void> {
      let count = 0;
      let cursor: string | null = null;
      do {
        const page = await listSessions(connection, { limit: 100, ...(cursor !== null && { cursor }) });
        for (const { id, continuationToken } of page.items) {
          await deleteSession(connection, { sessionId: id, continuationToken });
          erased(++count);
        }
        cursor = page.next;
      } while (cursor !== null);
      forget(identity.visitor.value);
    },
    /**
     * Hands the conversation over to another browser until `signal` is aborted: what that one claims it with, and up to
     * when. Null without one.
     */
    handOver: createHandOver(core),
    /** Has the visitor written to when the turn that goes on is over. False: it is over, or nobody is written to. */
    async askForMail(ask: ReadyMailRequest): Promise<boolean> {
      const session = state.session.value;
      return session !== null && (await askForReadyMail(connection, session, ask)) === 'accepted';
    },
    /** The conversation that another browser has handed over. */
    claim: (token: string) => claimTransfer(connection, token),
    /** The conversations of an identified visitor, a page at a time. */
    list: (options?: Parameters<typeof listSessions>[1]) => listSessions(connection, options),
  };
};
