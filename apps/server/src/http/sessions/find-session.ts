import type { SessionTokens } from '../../session/session-token.ts';
import type { Sessions } from '../../session/sessions.ts';
import type { SessionRecord } from '../../store/session-store.ts';
import type { KeyPrincipal } from '../../auth/principal.ts';
import { sessionAccess } from '../../auth/session-access.ts';
import { sessionNotFound } from '../rejection-problem.ts';

interface FindSessionDeps {
  readonly sessions: Sessions;
  readonly tokens: SessionTokens;
}

/** The session a token was made for, when the caller may have it. */
export async function findSession(
  { sessions, tokens }: FindSessionDeps,
  token: string,
  principal: KeyPrincipal,
): Promise<SessionRecord | null> {
  const id = tokens.sessionId(token);
  return id === null ? null : await sessions.find(id, sessionAccess(principal));
}

/** The session in the path, when the token was made for it. Throws the 404 that anything else gets. */
export async function sessionOfBoth(
  deps: FindSessionDeps,
  { id, token }: { id: string; token: string },
  principal: KeyPrincipal,
): Promise<SessionRecord> {
  const session = await findSession(deps, token, principal);
  if (!session || session.id !== id) throw sessionNotFound();
  return session;
}
