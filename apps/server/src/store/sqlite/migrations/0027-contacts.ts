import { sql, type Kysely } from 'kysely';

const statements = [
  'ALTER TABLE tenants ADD COLUMN pipeline TEXT',
  'ALTER TABLE appointments ADD COLUMN visitor TEXT',
  'CREATE INDEX appointments_of_visitor ON appointments (visitor) WHERE visitor IS NOT NULL',
  `CREATE TABLE contacts (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants ON DELETE CASCADE,
    visitor TEXT NOT NULL,
    stage TEXT NOT NULL,
    fields TEXT NOT NULL,
    said TEXT NOT NULL,
    found_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    UNIQUE (tenant_id, visitor)
  ) STRICT`,
  'CREATE INDEX contacts_by_time ON contacts (tenant_id, seen_at, id)',
  'CREATE INDEX contacts_of_stage ON contacts (tenant_id, stage, seen_at, id)',
  `CREATE INDEX sessions_of_contact ON sessions (tenant_id, visitor, created_at, id) WHERE visitor IS NOT NULL`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
