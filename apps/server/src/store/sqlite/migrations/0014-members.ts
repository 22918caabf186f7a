import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE members (
    id TEXT PRIMARY KEY,
    tenant_id TEXT REFERENCES tenants ON DELETE CASCADE,
    name TEXT NOT NULL,
    sign_in_name TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX members_of_tenant ON members (tenant_id, created_at, id)',

  `CREATE TABLE invitations (
    id TEXT PRIMARY KEY,
    tenant_id TEXT REFERENCES tenants ON DELETE CASCADE,
    role TEXT NOT NULL,
    digest TEXT NOT NULL UNIQUE,
    is_setup INTEGER NOT NULL,
    expires_at TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX invitations_of_tenant ON invitations (tenant_id, created_at, id)',

  `CREATE TABLE console_sessions (
    id TEXT PRIMARY KEY,
    member_id TEXT NOT NULL REFERENCES members ON DELETE CASCADE,
    digest TEXT NOT NULL UNIQUE,
    last_used_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX console_sessions_of_member ON console_sessions (member_id, created_at, id)',

  `CREATE TABLE audit_entries (
    key INTEGER PRIMARY KEY,
    tenant_id TEXT REFERENCES tenants ON DELETE CASCADE,
    at INTEGER NOT NULL,
    actor_id TEXT,
    actor_name TEXT,
    action TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    subject_name TEXT,
    before TEXT NOT NULL,
    after TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX audit_entries_of_tenant ON audit_entries (tenant_id, key)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
