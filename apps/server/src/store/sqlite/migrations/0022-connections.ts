import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE connections (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants ON DELETE CASCADE,
    agent_id TEXT NOT NULL REFERENCES agents ON DELETE CASCADE,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    config TEXT NOT NULL,
    secrets TEXT,
    state TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX connections_of_tenant ON connections (tenant_id)',
  'CREATE INDEX connections_of_agent ON connections (agent_id, created_at, id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
