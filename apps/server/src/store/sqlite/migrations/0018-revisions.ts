import { sql, type Kysely } from 'kysely';

const statements = [
  'ALTER TABLE agents ADD COLUMN revision INTEGER NOT NULL DEFAULT 1',

  `CREATE TABLE agent_revisions (
    agent_id TEXT NOT NULL REFERENCES agents ON DELETE CASCADE,
    revision INTEGER NOT NULL,
    at INTEGER NOT NULL,
    author_id TEXT,
    author_name TEXT,
    note TEXT,
    fields TEXT NOT NULL,
    name TEXT NOT NULL,
    config TEXT NOT NULL,
    PRIMARY KEY (agent_id, revision)
  ) STRICT, WITHOUT ROWID`,

  `CREATE TABLE agent_drafts (
    agent_id TEXT PRIMARY KEY REFERENCES agents ON DELETE CASCADE,
    version TEXT NOT NULL,
    base INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    author_id TEXT,
    author_name TEXT,
    name TEXT NOT NULL,
    config TEXT NOT NULL,
    credentials TEXT
  ) STRICT`,

  // What every agent is at this moment.
  `INSERT INTO agent_revisions (agent_id, revision, at, fields, name, config)
    SELECT id, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER), '[]', name, config FROM agents`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
