import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE approval_mails (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session bigint NOT NULL,
    request_id text COLLATE "C" NOT NULL,
    address text NOT NULL,
    member_id text COLLATE "C",
    is_reminder smallint NOT NULL,
    due_at bigint NOT NULL,
    attempts integer NOT NULL
  )`,
  'CREATE INDEX approval_mails_due ON approval_mails (due_at)',
  'CREATE INDEX approval_mails_of_session ON approval_mails (session)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
