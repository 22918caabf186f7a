import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE appointments (
    id TEXT PRIMARY KEY,
    connection_id TEXT NOT NULL REFERENCES connections ON DELETE CASCADE,
    starts_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    name TEXT NOT NULL,
    email TEXT,
    note TEXT,
    status TEXT NOT NULL,
    revision INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX appointments_of_connection ON appointments (connection_id, starts_at)',

  // One row for every five minutes that are taken: their key keeps two appointments apart.
  `CREATE TABLE appointment_slots (
    connection_id TEXT NOT NULL,
    slot INTEGER NOT NULL,
    appointment_id TEXT NOT NULL REFERENCES appointments ON DELETE CASCADE,
    PRIMARY KEY (connection_id, slot)
  ) STRICT`,
  'CREATE INDEX slots_of_appointment ON appointment_slots (appointment_id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
