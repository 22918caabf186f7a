import { authorize } from '../../auth/authorize.ts';
import { notFound } from '../../settings/settings-error.ts';
import type { AuditStore } from '../../store/audit-store.ts';
import type { Handlers } from '../handlers.ts';

/** What was changed, and by whom. */
export function auditHandlers(audit: AuditStore): Handlers<'listAudit'> {
  return {
    async listAudit({ response, principal, query: { tenantId, cursor = null, limit } }) {
      if (tenantId !== undefined && !authorize(principal, tenantId)) throw notFound();
      const own = principal.kind === 'member' && principal.tenantId !== null ? principal.tenantId : tenantId;
      const { items, next } = await audit.list({ tenantId: own, after: cursor, limit });
      response.json({
        items: items.map(({ at, ...entry }) => ({ at: new Date(at).toISOString(), ...entry })),
        next,
      });
    },
  };
}
