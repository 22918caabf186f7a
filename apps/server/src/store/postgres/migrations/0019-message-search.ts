import { sql, type Kysely } from 'kysely';

const statements = [
  // A process of the version before removes sessions without knowing of these tables: the rows go with the session's.
  `CREATE TABLE unsearched_events (
    session bigint NOT NULL REFERENCES sessions ON DELETE CASCADE,
    first_index bigint NOT NULL,
    last_index bigint NOT NULL,
    PRIMARY KEY (session, first_index)
  )`,
  `CREATE FUNCTION note_message() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO unsearched_events (session, first_index, last_index) VALUES (NEW.session, NEW.idx, NEW.idx);
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER note_message AFTER INSERT ON events FOR EACH ROW
    WHEN (NEW.type IN ('message.received', 'message.completed')) EXECUTE FUNCTION note_message()`,
  // After the trigger, which waits for whoever appends: so nothing is said that neither of the two notes.
  `INSERT INTO unsearched_events (session, first_index, last_index)
    SELECT key, 0, next_index - 1 FROM sessions WHERE next_index > 0 AND status <> 'removed'`,

  `CREATE TABLE searched_messages (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session bigint NOT NULL REFERENCES sessions ON DELETE CASCADE,
    idx bigint NOT NULL,
    terms text COLLATE "C" NOT NULL,
    term_vector tsvector NOT NULL GENERATED ALWAYS AS (array_to_tsvector(string_to_array(terms, ' '))) STORED,
    UNIQUE (session, idx)
  )`,
  // What waits in a list to be sorted in would be read through by every search.
  'CREATE INDEX message_terms ON searched_messages USING gin (term_vector) WITH (fastupdate = off)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
