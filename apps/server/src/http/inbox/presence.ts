import { maxPresent } from '@parley/protocol/settings/inbox';
import { authorize } from '../../auth/authorize.ts';
import { dangling } from '../../settings/settings-error.ts';
import type { PresenceStore } from '../../store/presence-store.ts';
import type { SettingsStore } from '../../store/settings-store.ts';
import type { Handlers } from '../handlers.ts';

/** Three times as long as the console waits before it says so again. */
const presentMs = 15_000;

/** Who has the inbox open, as they say themselves. The holder of the admin token is nobody, and only reads. */
export function presenceHandlers(
  store: PresenceStore & { readonly settings: Pick<SettingsStore, 'tenants'> },
): Handlers<'notePresence'> {
  return {
    async notePresence({ response, principal, body: { tenantId, conversationId } }) {
      const isThere = authorize(principal, tenantId) && (await store.settings.tenants.get(tenantId)) !== null;
      if (!isThere) throw dangling('tenantId');
      const looking = { tenantId, sessionId: conversationId, ttlMs: presentMs };
      if (principal.kind === 'member') await store.notePresence(principal.id, looking);
      const present = await store.listPresent(tenantId, maxPresent);
      response.json({
        members: present.map(({ id, name, sessionId }) => ({ id, name, conversationId: sessionId })),
      });
    },
  };
}
