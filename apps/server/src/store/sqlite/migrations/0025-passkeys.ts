import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE passkeys (
    id TEXT PRIMARY KEY,
    member_id TEXT NOT NULL REFERENCES members ON DELETE CASCADE,
    name TEXT NOT NULL,
    credential_id TEXT NOT NULL UNIQUE,
    public_key TEXT NOT NULL,
    counter INTEGER NOT NULL,
    transports TEXT NOT NULL,
    last_used_at TEXT,
    created_at TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX passkeys_of_member ON passkeys (member_id, created_at, id)',

  `CREATE TABLE passkey_challenges (
    challenge TEXT PRIMARY KEY,
    member_id TEXT REFERENCES members ON DELETE CASCADE,
    expires_at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at)',
  'CREATE INDEX passkey_challenges_of_member ON passkey_challenges (member_id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
