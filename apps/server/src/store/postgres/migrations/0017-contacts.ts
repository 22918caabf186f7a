import { sql, type Kysely } from 'kysely';

const statements = [
  'ALTER TABLE tenants ADD COLUMN pipeline text',
  'ALTER TABLE appointments ADD COLUMN visitor text COLLATE "C"',
  'CREATE INDEX appointments_of_visitor ON appointments (visitor) WHERE visitor IS NOT NULL',
  `CREATE TABLE contacts (
    id text COLLATE "C" PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL REFERENCES tenants ON DELETE CASCADE,
    visitor text COLLATE "C" NOT NULL,
    stage text COLLATE "C" NOT NULL,
    fields text NOT NULL,
    said text NOT NULL,
    found_by text NOT NULL,
    created_at bigint NOT NULL,
    seen_at bigint NOT NULL,
    revision integer NOT NULL,
    UNIQUE (tenant_id, visitor)
  )`,
  'CREATE INDEX contacts_by_time ON contacts (tenant_id, seen_at, id)',
  'CREATE INDEX contacts_of_stage ON contacts (tenant_id, stage, seen_at, id)',
  `CREATE INDEX sessions_of_contact ON sessions (tenant_id, visitor, created_at, id) WHERE visitor IS NOT NULL`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
