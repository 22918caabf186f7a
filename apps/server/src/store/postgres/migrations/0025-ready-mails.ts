import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE ready_mails (
    session bigint PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    sequence integer NOT NULL,
    address text NOT NULL,
    language text NOT NULL,
    origin text,
    asked_at bigint NOT NULL,
    due_at bigint,
    expires_at bigint NOT NULL,
    attempts integer NOT NULL
  )`,
  'CREATE INDEX ready_mails_due ON ready_mails (due_at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
