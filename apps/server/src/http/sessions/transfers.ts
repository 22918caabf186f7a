import { createHash, randomBytes } from 'node:crypto';
import type { LimitStore } from '../../store/limit-store.ts';
import type { TransferStore } from '../../store/transfer-store.ts';
import type { Handlers } from '../handlers.ts';
import { ProblemError } from '../problem.ts';
import { quotaExceeded, sessionNotFound } from '../rejection-problem.ts';
import { sessionOfBoth } from './find-session.ts';
import type { SessionHandlersDeps } from './sessions.ts';

const lastsMs = 5 * 60_000;
/** Links that one conversation makes: one is made whenever the menu is opened for it. */
const links = { limit: 30, windowMs: 3_600_000, amount: 1 };
/** Of the token: nobody guesses it within its time. */
const tokenBytes = 18;

const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** How an anonymous visitor takes a conversation along to another browser. Only the digest of what it takes is stored. */
export function transferHandlers(
  deps: Omit<SessionHandlersDeps, 'store'> & {
    readonly store: TransferStore & Pick<LimitStore, 'countQuotas'>;
  },
): Handlers<'createTransfer' | 'revokeTransfer' | 'claimTransfer'> {
  const { store, tokens } = deps;
  return {
    async createTransfer({ response, principal, id, body }) {
      const session = await sessionOfBoth(deps, { id, token: body.continuationToken }, principal);
      const limited = await store.countQuotas([{ ...links, scope: `links:session:${digestOf(session.id)}` }]);
      // No setting of the agent raises it.
      if (limited) throw quotaExceeded(limited, { kind: 'publishable' });
      const token = randomBytes(tokenBytes).toString('base64url');
      if (!(await store.saveTransfer(session.id, digestOf(token), lastsMs)))
        throw new ProblemError(
          'BAD_REQUEST',
          'The session is bound to a visitor: it is there wherever they prove who they are.',
        );
      const expiresAt = new Date(Date.now() + lastsMs).toISOString();
      response.status(201).json({ ok: true, sessionId: session.id, token, expiresAt });
    },

    async revokeTransfer({ response, principal, id, body }) {
      const session = await sessionOfBoth(deps, { id, token: body.continuationToken }, principal);
      await store.removeTransfer(session.id);
      response.json({ ok: true, sessionId: session.id, status: 'revoked' });
    },

    async claimTransfer({ response, principal: { owner }, body: { token } }) {
      const sessionId = await store.takeTransfer(owner, digestOf(token));
      if (sessionId === null) throw sessionNotFound();
      response.json({ ok: true, sessionId, continuationToken: tokens.of(sessionId) });
    },
  };
}
