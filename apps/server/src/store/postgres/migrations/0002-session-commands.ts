import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE session_commands (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    session bigint NOT NULL,
    kind text NOT NULL,
    body text NOT NULL,
    created_at bigint NOT NULL,
    finished_at bigint,
    outcome text
  )`,
  'CREATE INDEX session_commands_by_session ON session_commands (session, finished_at)',
  'CREATE INDEX waiting_session_commands ON session_commands (position) WHERE finished_at IS NULL',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
