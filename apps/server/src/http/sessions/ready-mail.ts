import type { Secrets } from '../../crypto/secrets.ts';
import { readyMailQuotas } from '../../limit/ready-mail-quotas.ts';
import { mailLanguage } from '../../ready-mail/ready-mail-words.ts';
import { awaitedTurn } from '../../ready-mail/ready-standing.ts';
import type { Handlers } from '../handlers.ts';
import { quotaExceeded, sessionNotFound } from '../rejection-problem.ts';
import { sessionOfBoth } from './find-session.ts';
import type { SessionHandlersDeps } from './sessions.ts';

/** As long as the team may take to answer what an agent asks. */
const lastsMs = 86_400_000;

/** Visitors of the Sessions interface who want to be written to when what takes long is finished. */
export function readyMailHandlers(
  deps: SessionHandlersDeps & { readonly secrets: Secrets },
): Handlers<'askForReadyMail'> {
  const { store, secrets } = deps;
  return {
    async askForReadyMail({ request, response, principal, id, body }) {
      const { continuationToken, address, language } = body;
      const session = await sessionOfBoth(deps, { id, token: continuationToken }, principal);
      const { id: sessionId } = session;
      if (principal.agent.settings.readyMail !== true)
        return void response.json({ ok: true, sessionId, status: 'off' });
      const sequence = awaitedTurn(session);
      if (sequence === null) return void response.json({ ok: true, sessionId, status: 'no_active_turn' });
      const full = await store.countQuotas(readyMailQuotas(principal, { secrets, sessionId }));
      // Nothing in the settings raises it.
      if (full !== null) throw quotaExceeded(full, { kind: 'publishable' });
      const mail = {
        sequence,
        address,
        language: mailLanguage(language),
        origin: linkedOrigin(request.headers.origin, principal.key.allowedOrigins),
      };
      if (!(await store.saveReadyMail(sessionId, mail, lastsMs))) throw sessionNotFound();
      response.status(202).json({ ok: true, sessionId, status: 'accepted' });
    },
  };
}

/**
 * The origin that the mail links to, and no page of it: a path may read like a sentence or lead on to another site. Only
 * one that the key lists by name: what stands for many may be anybody's.
 */
function linkedOrigin(origin: string | undefined, listed: readonly string[]): string | null {
  return origin !== undefined && !origin.includes('*') && listed.includes(origin) ? origin : null;
}
