import { DatabaseSync } from 'node:sqlite';

/** What a copy has of its own, in SQL; `i` counts them. The others are those of the row that is copied. */
const ownColumns = {
  sessions: {
    key: '1000 + i',
    id: `printf('ses_%032d', i)`,
    visitor: 'NULL',
    created_at: 'created_at - 1000 * i',
    active_at: 'active_at - 1000 * i',
  },
  turns: { key: 'NULL', session: '1000 + i', started_at: 'started_at - 1000 * i' },
  contacts: {
    id: `printf('contact_%024d', i)`,
    visitor: `printf('visitor-%d@example.com', i)`,
    seen_at: 'seen_at - 1000 * i',
  },
  audit_entries: { key: 'NULL', at: 'at - 1000 * i' },
} as const;

/** Copies the last conversation, contact and change in the database of a service that has stopped, so many times. */
export function multiplyRows(file: string, times: number): void {
  const database = new DatabaseSync(file);
  try {
    database.exec('BEGIN');
    for (const [table, own] of Object.entries(ownColumns)) {
      const columns = database
        .prepare('SELECT name FROM pragma_table_info(?)')
        .all(table)
        .map(({ name }) => String(name));
      const values = columns.map(
        (column) => (own as Readonly<Record<string, string>>)[column] ?? `"${column}"`,
      );
      database
        .prepare(
          `WITH RECURSIVE counted (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM counted WHERE i < ?)
           INSERT INTO ${table} (${columns.map((column) => `"${column}"`).join()})
           SELECT ${values.join()} FROM counted, (SELECT * FROM ${table} ORDER BY rowid DESC LIMIT 1)`,
        )
        .run(times);
    }
    database.exec('COMMIT');
  } finally {
    database.close();
  }
}
