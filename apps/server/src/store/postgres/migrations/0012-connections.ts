import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE connections (
    id text COLLATE "C" PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL REFERENCES tenants ON DELETE CASCADE,
    agent_id text COLLATE "C" NOT NULL REFERENCES agents ON DELETE CASCADE,
    name text NOT NULL,
    kind text COLLATE "C" NOT NULL,
    config text NOT NULL,
    secrets text,
    state text NOT NULL,
    created_at text COLLATE "C" NOT NULL
  )`,
  'CREATE INDEX connections_of_tenant ON connections (tenant_id)',
  'CREATE INDEX connections_of_agent ON connections (agent_id, created_at, id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
