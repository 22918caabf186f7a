import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE presence (
    member_id text COLLATE "C" PRIMARY KEY REFERENCES members ON DELETE CASCADE,
    tenant_id text COLLATE "C" NOT NULL,
    session_id text,
    expires_at bigint NOT NULL
  )`,
  'CREATE INDEX presence_of_tenant ON presence (tenant_id, expires_at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
