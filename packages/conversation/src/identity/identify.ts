import type { ParleyError } from '@parley/client/error';
import { identifySession } from '@parley/client/identify-session';
import { withVisitorToken } from '@parley/client/visitor-token';
import type { ConversationCore } from '../conversation-core.ts';
import { retryUntilOnline } from '../replies/retry-until-online.ts';
import { startOver } from './start-over.ts';
import { subjectOf } from './subject-of.ts';
import type { VisitorToken } from './visitor-token.ts';

/** Tells who the visitor is, and that nobody is one any more. */
export function createIdentification(core: ConversationCore) {
  const { state, storage, identity, connection, clock, signal } = core;
  /** Counts who is named as the visitor. */
  let latest = 0;

  /** Makes a conversation that was nobody's the visitor's. */
  const claim = async () => {
    if (!identity.authorizedFetch) return;
    const isKnown = await retryUntilOnline(core, (session) => identifySession(connection, session)).catch(
      (error: ParleyError) => {
        // It is gone, or somebody else's: the visitor is known all the same.
        if (error.code !== 'SESSION_NOT_FOUND') throw error;
      },
    );
    const { failure, connectionStatus, session } = state;
    // What nobody was refused, or is about to be, is theirs.
    if (isKnown && (failure.value || connectionStatus.value === 'connecting')) core.follow(session.value);
  };

  return {
    /** `called`: when the page did so. Resolves once it is known who is here, with `claim`. */
    async identify(token: VisitorToken, called: number): Promise<() => Promise<void>> {
      const mine = ++latest;
      const ask = async () => (typeof token === 'function' ? token() : token);
      /** What is written from now on is written by whomever the next token names. */
      let since = called;
      /** From now on the token's visitor is here. Whether somebody else was. */
      const admit = (given: string) => {
        const earlier = storage.get('visitor');
        const visitor = (identity.visitor.value = subjectOf(given));
        const isAnother = earlier !== '' && earlier !== visitor;
        if (isAnother) void startOver(core, visitor, since, () => mine === latest);
        else storage.set('visitor', visitor);
        since = Infinity;
        return isAnother;
      };
      const first = ask();
      let asked = false;
      /** Counts the questions for a token, of which more than one may be open; `heard`: the last one that was answered. */
      let asks = 0;
      let heard = 0;
      const to = { ...connection, fetch: identity.anonymousFetch };
      const { fetch: authorizedFetch } = withVisitorToken(to, async () => {
        if (!asked) {
          asked = true;
          return first;
        }
        since = Math.min(since, clock.now());
        const turn = ++asks;
        const given = await ask();
        const isOvertaken = turn < heard || identity.authorizedFetch !== authorizedFetch;
        heard = Math.max(heard, turn);
        // What waits for this token was written by somebody who has left.
        if (isOvertaken || admit(given)) throw new Error('Another visitor has come.');
        return given;
      });
      identity.authorizedFetch = authorizedFetch;
      const given = await first;
      // Somebody else has been named since, or nobody; or the conversation is gone.
      if (mine !== latest || signal.aborted) return claim;
      admit(given);
      // Another tab may have logged out in the meantime.
      identity.authorizedFetch = authorizedFetch;
      return claim;
    },
    logout() {
      latest++;
      identity.visitor.value = '';
      identity.authorizedFetch = undefined;
      // All else has been forgotten at once; what has been written since is nobody's.
      storage.set('visitor', '');
    },
  };
}
