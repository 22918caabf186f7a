import type { SessionTokens } from '../session/session-token.ts';
import type { Sessions } from '../session/sessions.ts';
import type { SessionRecord } from '../store/store.ts';
import { type Caller, askerOf } from './caller.ts';
import { sessionNotFound } from './refusal.ts';

interface Parts {
  readonly sessions: Sessions;
  readonly tokens: SessionTokens;
}

/** The session a token was made for, when the caller may have it. */
export async function sessionByToken(
  { sessions, tokens }: Parts,
  token: string,
  caller: Caller,
): Promise<SessionRecord | null> {
  const id = tokens.sessionId(token);
  return id === null ? null : await sessions.find(id, askerOf(caller));
}

/** The session in the path, when the token was made for it. Throws the 404 that anything else gets. */
export async function sessionOfBoth(
  parts: Parts,
  { id, token }: { id: string; token: string },
  caller: Caller,
): Promise<SessionRecord> {
  const session = await sessionByToken(parts, token, caller);
  if (!session || session.id !== id) throw sessionNotFound();
  return session;
}
