import { sql, type Kysely } from 'kysely';

const chunkBytes = 255 * 1024;

const create = [
  'ALTER TABLE files RENAME TO whole_files',
  'DROP INDEX files_of_session',

  // A file outlives its session's row only until its chunks are removed, page by page: `expires_at` is 0 then.
  `CREATE TABLE files (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    tenant_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    visitor TEXT,
    session INTEGER REFERENCES sessions ON DELETE SET NULL,
    media_type TEXT NOT NULL,
    filename TEXT,
    size INTEGER NOT NULL,
    complete INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX files_of_session ON files (session) WHERE session IS NOT NULL',
  'CREATE INDEX unbound_files ON files (expires_at) WHERE session IS NULL',

  `CREATE TABLE file_chunks (
    key INTEGER PRIMARY KEY,
    file INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
    number INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (file, number)
  ) STRICT`,

  'ALTER TABLE sessions ADD COLUMN file_bytes INTEGER NOT NULL DEFAULT 0',

  `INSERT INTO files (key, id, tenant_id, agent_id, visitor, session, media_type, filename, size, complete, expires_at)
    SELECT whole_files.key, whole_files.id, tenant_id, agent_id, visitor, session, media_type, filename, length(bytes), 1, 0
    FROM whole_files JOIN sessions ON sessions.key = whole_files.session`,
  `UPDATE sessions SET file_bytes = (SELECT coalesce(sum(size), 0) FROM files WHERE files.session = sessions.key)
    WHERE key IN (SELECT session FROM files)`,
];

/** Whole files become chunks one after the other, so that only one of them is in memory. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of create) await sql.raw(statement).execute(db);
  for (;;) {
    const { rows } = await sql<{ key: number; bytes: Uint8Array }>`
      SELECT key, bytes FROM whole_files LIMIT 1`.execute(db);
    const [file] = rows;
    if (file === undefined) break;
    for (let number = 0; number * chunkBytes < file.bytes.length; number += 1) {
      const chunk = file.bytes.subarray(number * chunkBytes, (number + 1) * chunkBytes);
      await sql`INSERT INTO file_chunks (file, number, bytes) VALUES (${file.key}, ${number}, ${chunk})`.execute(
        db,
      );
    }
    await sql`DELETE FROM whole_files WHERE key = ${file.key}`.execute(db);
  }
  await sql`DROP TABLE whole_files`.execute(db);
}
