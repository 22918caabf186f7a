import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE presence (
    member_id TEXT PRIMARY KEY REFERENCES members ON DELETE CASCADE,
    tenant_id TEXT NOT NULL,
    session_id TEXT,
    expires_at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX presence_of_tenant ON presence (tenant_id, expires_at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
