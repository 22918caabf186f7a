import { createHash, randomBytes } from 'node:crypto';
import { allRecords } from '../settings/all-records.ts';
import { newId } from '../settings/id.ts';
import type { ConsoleSessionRecord, MemberRecord, SettingsStore } from '../store/settings-store.ts';
import type { MemberPrincipal } from './principal.ts';

/** However much it is used. */
const longestMs = 7 * 86_400_000;
/** Without a request. */
const idleMs = 12 * 3_600_000;
/** How exactly the last use is known: each note of it is a write. */
const noteMs = 5 * 60_000;
/** Of one member; the oldest makes room. */
const maxSessions = 50;

export const consoleSessionMs = longestMs;

/** What is stored instead of a token, whose entropy needs no slow hash. */
export const tokenDigest = (token: string): string => createHash('sha256').update(token).digest('hex');
export const newToken = (): string => randomBytes(32).toString('base64url');

type Stored = Pick<SettingsStore, 'members' | 'consoleSessions'>;

/** Begins a session; its token is nowhere but in what is returned. */
export async function beginSession(
  { consoleSessions }: Stored,
  { id: memberId }: MemberRecord,
): Promise<string> {
  await makeRoom(consoleSessions, memberId);
  const token = newToken();
  const now = Date.now();
  const createdAt = new Date(now).toISOString();
  await consoleSessions.insert({
    id: newId('session'),
    memberId,
    digest: tokenDigest(token),
    lastUsedAt: createdAt,
    expiresAt: new Date(now + longestMs).toISOString(),
    createdAt,
  });
  return token;
}

/** The session of a token and its member, or null when there is none, or its time is over. */
export async function findSession(
  { members, consoleSessions }: Stored,
  token: string,
): Promise<MemberPrincipal | null> {
  const where = { digest: tokenDigest(token) };
  const [session] = (await consoleSessions.list({ where, after: null, limit: 1 })).items;
  const now = Date.now();
  if (session === undefined || isOver(session, now)) return null;
  const member = await members.get(session.memberId);
  if (member === null) return null;
  if (now - Date.parse(session.lastUsedAt) > noteMs)
    await consoleSessions.update(session.id, { lastUsedAt: new Date(now).toISOString() });
  const { id, name, tenantId, role } = member;
  return { kind: 'member', id, name, tenantId, role, sessionId: session.id };
}

export function isOver({ expiresAt, lastUsedAt }: ConsoleSessionRecord, now: number): boolean {
  return Date.parse(expiresAt) <= now || Date.parse(lastUsedAt) + idleMs <= now;
}

/** Ends the sessions of a member that are over, and the oldest where there are too many. */
async function makeRoom(consoleSessions: Stored['consoleSessions'], memberId: string): Promise<void> {
  const { items } = await consoleSessions.list({ where: { memberId }, after: null, limit: maxSessions });
  const now = Date.now();
  const open = items.filter((session) => !isOver(session, now));
  const oldest = open.length >= maxSessions ? open[0] : undefined;
  for (const session of items)
    if (session === oldest || isOver(session, now)) await consoleSessions.remove(session.id);
}

/** Ends every session of a member but this one, where there is one: those that began at once may be more than there is room for. */
export async function endOtherSessions(
  { consoleSessions }: Pick<SettingsStore, 'consoleSessions'>,
  { id, sessionId }: { readonly id: string; readonly sessionId: string | null },
): Promise<void> {
  for await (const session of allRecords(consoleSessions, { memberId: id }))
    if (session.id !== sessionId) await consoleSessions.remove(session.id);
}
