import { sql, type Kysely } from 'kysely';

const tables = ['agents', 'keys', 'tools', 'connections'];

const note = (row: 'OLD' | 'NEW') => `
  INSERT INTO tenant_revisions (tenant_id, revision)
  VALUES (${row}.tenant_id, (SELECT coalesce(max(revision), 0) + 1 FROM tenant_revisions))
  ON CONFLICT (tenant_id) DO UPDATE SET revision = excluded.revision`;

const statements = [
  'CREATE TABLE tenant_revisions (tenant_id TEXT PRIMARY KEY, revision INTEGER NOT NULL) STRICT',
  'CREATE INDEX tenant_revisions_latest ON tenant_revisions (revision)',
  ...tables.flatMap((table) =>
    [
      { change: 'INSERT', row: 'NEW' as const },
      { change: 'UPDATE', row: 'NEW' as const },
      { change: 'DELETE', row: 'OLD' as const },
    ].map(
      ({ change, row }) =>
        `CREATE TRIGGER ${table}_${change.toLowerCase()}_revision AFTER ${change} ON ${table} BEGIN ${note(row)}; END`,
    ),
  ),
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
