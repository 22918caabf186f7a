import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE members (
    id text COLLATE "C" PRIMARY KEY,
    tenant_id text COLLATE "C" REFERENCES tenants ON DELETE CASCADE,
    name text NOT NULL,
    sign_in_name text COLLATE "C" NOT NULL UNIQUE,
    role text NOT NULL,
    password_hash text NOT NULL,
    created_at text COLLATE "C" NOT NULL
  )`,
  'CREATE INDEX members_of_tenant ON members (tenant_id, created_at, id)',

  `CREATE TABLE invitations (
    id text COLLATE "C" PRIMARY KEY,
    tenant_id text COLLATE "C" REFERENCES tenants ON DELETE CASCADE,
    role text NOT NULL,
    digest text COLLATE "C" NOT NULL UNIQUE,
    is_setup smallint NOT NULL,
    expires_at text NOT NULL,
    created_at text COLLATE "C" NOT NULL
  )`,
  'CREATE INDEX invitations_of_tenant ON invitations (tenant_id, created_at, id)',

  `CREATE TABLE console_sessions (
    id text COLLATE "C" PRIMARY KEY,
    member_id text COLLATE "C" NOT NULL REFERENCES members ON DELETE CASCADE,
    digest text COLLATE "C" NOT NULL UNIQUE,
    last_used_at text NOT NULL,
    expires_at text NOT NULL,
    created_at text COLLATE "C" NOT NULL
  )`,
  'CREATE INDEX console_sessions_of_member ON console_sessions (member_id, created_at, id)',

  `CREATE TABLE audit_entries (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id text COLLATE "C" REFERENCES tenants ON DELETE CASCADE,
    at bigint NOT NULL,
    actor_id text,
    actor_name text,
    action text NOT NULL,
    kind text NOT NULL,
    subject_id text NOT NULL,
    subject_name text,
    before text NOT NULL,
    after text NOT NULL
  )`,
  'CREATE INDEX audit_entries_of_tenant ON audit_entries (tenant_id, key)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
