import type { AuditEntryView } from '@parley/protocol/settings/audit';
import { sql } from 'kysely';
import type { AuditRecord, AuditStore } from './audit-store.ts';
import type { Also, QueryEngine, Row } from './query-engine.ts';

/** Writes an entry of the log together with the change that it is of. */
export function auditEntry(record: AuditRecord): Also {
  const columns = auditColumns(record);
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)));
  return (written) =>
    sql`INSERT INTO audit_entries (${names}) SELECT ${sql.join(Object.values(columns))} WHERE ${written}`;
}

/** A record by its columns. */
export const auditColumns = ({ at, tenantId, actor, action, kind, subject, before, after }: AuditRecord) => ({
  at,
  tenant_id: tenantId,
  actor_id: actor?.id ?? null,
  actor_name: actor?.name ?? null,
  action,
  kind,
  subject_id: subject.id,
  subject_name: subject.name,
  before: JSON.stringify(before),
  after: JSON.stringify(after),
});

export function createAudit({ queries, read, write }: QueryEngine): AuditStore {
  return {
    async record(entry) {
      await write(auditEntry(entry)(sql`1 = 1`).compile(queries));
    },

    async list({ tenantId, after, limit }) {
      const before = after !== null && /^\d{1,15}$/.test(after) ? Number(after) : Number.MAX_SAFE_INTEGER;
      const ofTenant = tenantId === undefined ? sql`` : sql`AND tenant_id = ${tenantId}`;
      const rows = await read(
        sql`SELECT * FROM audit_entries WHERE key < ${before} ${ofTenant} ORDER BY key DESC LIMIT ${limit + 1}`.compile(
          queries,
        ),
      );
      const items = rows.slice(0, limit).map((row) => ({
        at: Number(row['at']),
        tenantId: textOf(row['tenant_id']),
        actor:
          row['actor_id'] === null ? null : { id: String(row['actor_id']), name: String(row['actor_name']) },
        action: row['action'] as AuditEntryView['action'],
        kind: String(row['kind']),
        subject: { id: String(row['subject_id']), name: textOf(row['subject_name']) },
        before: JSON.parse(String(row['before'])) as AuditEntryView['before'],
        after: JSON.parse(String(row['after'])) as AuditEntryView['after'],
      }));
      const last = rows[limit - 1];
      return { items, next: rows.length > limit && last !== undefined ? String(last['key']) : null };
    },
  };
}

const textOf = (value: Row[string] | undefined): string | null => (value == null ? null : String(value));
