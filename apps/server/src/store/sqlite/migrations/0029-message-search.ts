import { sql, type Kysely } from 'kysely';

const statements = [
  // Parts of logs in which nothing is found yet: of what there is already the whole, of what comes each message.
  `CREATE TABLE unsearched_events (
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    first_index INTEGER NOT NULL,
    last_index INTEGER NOT NULL,
    PRIMARY KEY (session, first_index)
  ) STRICT, WITHOUT ROWID`,
  `INSERT INTO unsearched_events (session, first_index, last_index)
    SELECT key, 0, next_index - 1 FROM sessions WHERE next_index > 0 AND status <> 'removed'`,

  `CREATE TABLE searched_messages (
    key INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    idx INTEGER NOT NULL,
    terms TEXT NOT NULL,
    UNIQUE (session, idx)
  ) STRICT`,
  // As of passages: the terms are made before they come here, and merged in steps.
  `CREATE VIRTUAL TABLE message_terms USING fts5(
    terms, content='searched_messages', content_rowid='key', tokenize='ascii', detail='none', columnsize=0)`,
  `INSERT INTO message_terms (message_terms, rank) VALUES ('automerge', 0)`,
  `INSERT INTO message_terms (message_terms, rank) VALUES ('crisismerge', 1000)`,
  `INSERT INTO message_terms (message_terms, rank) VALUES ('usermerge', 8)`,
  `CREATE TRIGGER index_message AFTER INSERT ON searched_messages BEGIN
    INSERT INTO message_terms (rowid, terms) VALUES (new.key, new.terms);
  END`,
  `CREATE TRIGGER unindex_message AFTER DELETE ON searched_messages BEGIN
    INSERT INTO message_terms (message_terms, rowid, terms) VALUES ('delete', old.key, old.terms);
  END`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
