import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE passkeys (
    id text COLLATE "C" PRIMARY KEY,
    member_id text COLLATE "C" NOT NULL REFERENCES members ON DELETE CASCADE,
    name text NOT NULL,
    credential_id text COLLATE "C" NOT NULL UNIQUE,
    public_key text NOT NULL,
    counter bigint NOT NULL,
    transports text NOT NULL,
    last_used_at text,
    created_at text COLLATE "C" NOT NULL
  )`,
  'CREATE INDEX passkeys_of_member ON passkeys (member_id, created_at, id)',

  `CREATE TABLE passkey_challenges (
    challenge text COLLATE "C" PRIMARY KEY,
    member_id text COLLATE "C" REFERENCES members ON DELETE CASCADE,
    expires_at bigint NOT NULL
  )`,
  'CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at)',
  'CREATE INDEX passkey_challenges_of_member ON passkey_challenges (member_id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
