import { isOver } from '../../auth/console-sessions.ts';
import type { ConsoleCookie } from '../../auth/console-cookie.ts';
import { changeRecord } from '../../settings/audit.ts';
import { notFound } from '../../settings/settings-error.ts';
import type { Page } from '../../store/page.ts';
import type { ConsoleSessionRecord, SettingsStore } from '../../store/settings-store.ts';
import type { Handlers } from '../handlers.ts';

interface ConsoleSessionDeps {
  readonly stored: Pick<SettingsStore, 'consoleSessions'>;
  readonly cookie: ConsoleCookie;
}

interface OpenSessionsQuery {
  readonly memberId: string;
  readonly cursor: string | null;
  readonly limit: number;
}

/** One page of those that are not over, full while there are more: of one member there are some fifty. */
async function openSessions(
  consoleSessions: SettingsStore['consoleSessions'],
  { memberId, cursor, limit }: OpenSessionsQuery,
): Promise<Page<ConsoleSessionRecord>> {
  const now = Date.now();
  const items: ConsoleSessionRecord[] = [];
  let full: string | null = null;
  let after = cursor;
  do {
    const left = limit - items.length;
    const page = await consoleSessions.list({ where: { memberId }, after, limit: left || limit });
    const open = page.items.filter((session) => !isOver(session, now));
    if (full !== null && open.length > 0) return { items, next: full };
    items.push(...open);
    after = page.next;
    if (items.length === limit) full ??= after;
  } while (after !== null);
  return { items, next: null };
}

/** A member's own sessions of the console. */
export function consoleSessionHandlers({
  stored: { consoleSessions },
  cookie,
}: ConsoleSessionDeps): Handlers<'listConsoleSessions' | 'endConsoleSession'> {
  return {
    async listConsoleSessions({ response, principal, query: { cursor = null, limit } }) {
      const { items, next } = await openSessions(consoleSessions, { memberId: principal.id, cursor, limit });
      response.json({
        items: items.map(({ id, createdAt, lastUsedAt, expiresAt }) => ({
          id,
          createdAt,
          lastUsedAt,
          expiresAt,
          current: id === principal.sessionId,
        })),
        next,
      });
    },

    async endConsoleSession({ response, principal, id }) {
      const session = await consoleSessions.get(id);
      if (session?.memberId !== principal.id) throw notFound();
      const { tenantId, name } = principal;
      const { createdAt, lastUsedAt } = session;
      const entry = changeRecord(principal, {
        tenantId,
        action: 'deleted',
        kind: 'console session',
        subject: { id, name },
        before: { createdAt, lastUsedAt },
        after: null,
      });
      await consoleSessions.remove(id, entry);
      if (id === principal.sessionId) cookie.clear(response);
      response.status(204).end();
    },
  };
}
