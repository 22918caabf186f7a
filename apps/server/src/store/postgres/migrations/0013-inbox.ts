import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE threads (
    session bigint PRIMARY KEY,
    holder_id text COLLATE "C",
    holder_name text,
    assignee_id text COLLATE "C",
    assignee_name text,
    waiting_since bigint,
    changed_at bigint NOT NULL
  )`,
  'CREATE INDEX threads_waiting ON threads (waiting_since, session) WHERE waiting_since IS NOT NULL',
  'CREATE INDEX threads_of_assignee ON threads (assignee_id, changed_at, session) WHERE assignee_id IS NOT NULL',
  `CREATE TABLE thread_notes (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    session bigint NOT NULL,
    author_id text COLLATE "C" NOT NULL,
    author_name text NOT NULL,
    text text NOT NULL,
    at bigint NOT NULL
  )`,
  'CREATE INDEX notes_of_session ON thread_notes (session)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
