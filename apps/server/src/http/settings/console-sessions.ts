import { isOver } from '../../auth/console-sessions.ts';
import type { ConsoleCookie } from '../../auth/console-cookie.ts';
import { notFound } from '../../settings/settings-error.ts';
import type { SettingsStore } from '../../store/settings-store.ts';
import type { Handlers } from '../handlers.ts';

interface ConsoleSessionDeps {
  readonly stored: Pick<SettingsStore, 'consoleSessions'>;
  readonly cookie: ConsoleCookie;
}

/** A member's own sessions of the console. */
export function consoleSessionHandlers({
  stored: { consoleSessions },
  cookie,
}: ConsoleSessionDeps): Handlers<'listConsoleSessions' | 'endConsoleSession'> {
  return {
    async listConsoleSessions({ response, principal, query: { cursor = null, limit } }) {
      const where = { memberId: principal.id };
      const { items, next } = await consoleSessions.list({ where, after: cursor, limit });
      const open = items.filter((session) => !isOver(session, Date.now()));
      response.json({
        items: open.map(({ id, createdAt, lastUsedAt, expiresAt }) => ({
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
      await consoleSessions.remove(id);
      if (id === principal.sessionId) cookie.clear(response);
      response.status(204).end();
    },
  };
}
