import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE sources (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants ON DELETE CASCADE,
    agent_id TEXT NOT NULL REFERENCES agents ON DELETE CASCADE,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    config TEXT NOT NULL,
    reading TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX sources_of_tenant ON sources (tenant_id)',
  'CREATE INDEX sources_of_agent ON sources (agent_id, created_at, id)',
  'CREATE INDEX sources_of_kind ON sources (kind, created_at, id)',

  `CREATE TABLE source_claims (
    source_id TEXT PRIMARY KEY REFERENCES sources ON DELETE CASCADE,
    owner TEXT NOT NULL,
    claimed_until INTEGER NOT NULL
  ) STRICT`,

  `CREATE TABLE pages (
    key INTEGER PRIMARY KEY,
    source_id TEXT NOT NULL REFERENCES sources ON DELETE CASCADE,
    agent_id TEXT NOT NULL,
    place TEXT NOT NULL,
    title TEXT NOT NULL,
    address TEXT,
    language TEXT,
    version TEXT,
    reading INTEGER NOT NULL,
    passages INTEGER NOT NULL,
    terms INTEGER NOT NULL,
    UNIQUE (source_id, place)
  ) STRICT`,
  'CREATE INDEX pages_of_reading ON pages (source_id, reading)',
  'CREATE INDEX pages_of_agent ON pages (agent_id, passages, terms)',

  `CREATE TABLE passages (
    key INTEGER PRIMARY KEY,
    page INTEGER NOT NULL REFERENCES pages ON DELETE CASCADE,
    position INTEGER NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    terms TEXT NOT NULL,
    UNIQUE (page, position)
  ) STRICT`,

  // The terms are made before they come here: between two of them is a space, and no term has an ASCII character that is
  // neither letter nor digit. So this tokenizer takes them as they are.
  `CREATE VIRTUAL TABLE passage_terms USING fts5(
    terms, content='passages', content_rowid='key', tokenize='ascii', detail='none', columnsize=0)`,
  `INSERT INTO passage_terms (passage_terms, rank) VALUES ('secure-delete', 1)`,
  `CREATE TRIGGER index_passage AFTER INSERT ON passages BEGIN
    INSERT INTO passage_terms (rowid, terms) VALUES (new.key, new.terms);
  END`,
  `CREATE TRIGGER unindex_passage AFTER DELETE ON passages BEGIN
    INSERT INTO passage_terms (passage_terms, rowid, terms) VALUES ('delete', old.key, old.terms);
  END`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
