import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE thread_delegates (
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    member_id TEXT NOT NULL,
    PRIMARY KEY (session, member_id)
  ) STRICT`,
  'CREATE INDEX delegates_by_member ON thread_delegates (member_id, session)',
  'INSERT INTO thread_delegates SELECT session, asked_of_id FROM threads WHERE asked_of_id IS NOT NULL',
  // Members are named as they are called now, and once they are gone not at all.
  'UPDATE threads SET asked_of_name = NULL WHERE asked_of_name IS NOT NULL',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
