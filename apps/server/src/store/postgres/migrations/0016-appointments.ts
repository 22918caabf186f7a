import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE appointments (
    id text COLLATE "C" PRIMARY KEY,
    connection_id text COLLATE "C" NOT NULL REFERENCES connections ON DELETE CASCADE,
    starts_at bigint NOT NULL,
    ends_at bigint NOT NULL,
    name text NOT NULL,
    email text,
    note text,
    status text NOT NULL,
    revision integer NOT NULL
  )`,
  'CREATE INDEX appointments_of_connection ON appointments (connection_id, starts_at)',

  // One row for every five minutes that are taken: their key keeps two appointments apart.
  `CREATE TABLE appointment_slots (
    connection_id text COLLATE "C" NOT NULL,
    slot bigint NOT NULL,
    appointment_id text COLLATE "C" NOT NULL REFERENCES appointments ON DELETE CASCADE,
    PRIMARY KEY (connection_id, slot)
  )`,
  'CREATE INDEX slots_of_appointment ON appointment_slots (appointment_id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
