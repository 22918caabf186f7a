import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE sign_ins (
    id text COLLATE "C" PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL REFERENCES tenants ON DELETE CASCADE,
    agent_id text COLLATE "C" NOT NULL REFERENCES agents ON DELETE CASCADE,
    connection_id text COLLATE "C" NOT NULL REFERENCES connections ON DELETE CASCADE,
    visitor text COLLATE "C",
    session_id text COLLATE "C",
    status text NOT NULL,
    problem text,
    secrets text,
    version integer NOT NULL,
    refreshing_until bigint,
    created_at text COLLATE "C" NOT NULL
  )`,
  'CREATE INDEX sign_ins_of_tenant ON sign_ins (tenant_id)',
  'CREATE INDEX sign_ins_of_agent ON sign_ins (agent_id, visitor)',
  'CREATE INDEX sign_ins_of_connection ON sign_ins (connection_id, created_at, id)',
  'CREATE INDEX sign_ins_of_session ON sign_ins (session_id) WHERE session_id IS NOT NULL',
  'CREATE INDEX sign_ins_of_visitors ON sign_ins (id) WHERE visitor IS NOT NULL OR session_id IS NOT NULL',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
