import { sql, type Kysely } from 'kysely';

const statements = [
  'ALTER TABLE agents ADD COLUMN revision bigint NOT NULL DEFAULT 1',

  `CREATE TABLE agent_revisions (
    agent_id text COLLATE "C" NOT NULL REFERENCES agents ON DELETE CASCADE,
    revision bigint NOT NULL,
    at bigint NOT NULL,
    author_id text,
    author_name text,
    note text,
    fields text NOT NULL,
    name text NOT NULL,
    config text NOT NULL,
    PRIMARY KEY (agent_id, revision)
  )`,

  `CREATE TABLE agent_drafts (
    agent_id text COLLATE "C" PRIMARY KEY REFERENCES agents ON DELETE CASCADE,
    version text NOT NULL,
    base bigint NOT NULL,
    changed_at bigint NOT NULL,
    author_id text,
    author_name text,
    name text NOT NULL,
    config text NOT NULL,
    credentials text
  )`,

  // What every agent is at this moment.
  `INSERT INTO agent_revisions (agent_id, revision, at, fields, name, config)
    SELECT id, 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, '[]', name, config FROM agents`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
