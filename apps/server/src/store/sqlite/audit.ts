import type { DatabaseSync } from 'node:sqlite';
import type { AuditRecord } from '../audit-store.ts';
import { auditColumns } from '../create-audit.ts';

/** What a commit writes into the log of changes, as long as the tenant is there. */
export function prepareAudit(connection: DatabaseSync): (records: readonly AuditRecord[]) => void {
  const insert = connection.prepare(`
    INSERT INTO audit_entries
      (at, tenant_id, actor_id, actor_name, action, kind, subject_id, subject_name, before, after)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10
    WHERE ?2 IS NULL OR EXISTS (SELECT 1 FROM tenants WHERE id = ?2)`);
  return (records) => {
    for (const record of records) insert.run(...Object.values(auditColumns(record)));
  };
}
