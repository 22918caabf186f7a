import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type pg from 'pg';
import type { MovedTable } from './moved-table.ts';
import { type Key, type MovedRow, readPages } from './source-pages.ts';
import { TableDigest } from './table-digest.ts';

export interface TableContent {
  readonly rows: number;
  readonly digest: string;
}

/** What is behind the last page of the source is counted up to here: any of it is a difference. */
const maxFurtherRows = 100;

/** Reads a table in both databases, page by page between the same keys, so that neither is in memory. */
export async function compareTable(
  source: DatabaseSync,
  target: pg.ClientBase,
  table: MovedTable,
): Promise<{ readonly source: TableContent; readonly target: TableContent }> {
  const digests = { source: new TableDigest(), target: new TableDigest() };
  let after: Key | null = null;
  for (const { rows, last } of readPages(source, table, null)) {
    for (const row of rows) digests.source.add(row);
    // One more than there should be, so that a row that was put between them is seen.
    for (const row of await readTarget(target, table, { after, last, limit: rows.length + 1 }))
      digests.target.add(row);
    after = last;
  }
  for (const row of await readTarget(target, table, { after, last: null, limit: maxFurtherRows }))
    digests.target.add(row);
  const content = (digest: TableDigest) => ({ rows: digest.rows, digest: digest.end() });
  return { source: content(digests.source), target: content(digests.target) };
}

async function readTarget(
  target: pg.ClientBase,
  { name, columns, key }: MovedTable,
  { after, last, limit }: { after: Key | null; last: Key | null; limit: number },
): Promise<readonly MovedRow[]> {
  const keys = key.map((column) => `"${column.name}"`).join(', ');
  const values: unknown[] = [];
  const bound = (sign: string, edge: Key | null) =>
    edge === null
      ? 'true'
      : `(${keys}) ${sign} (${edge.map((value) => `$${values.push(value)}`).join(', ')})`;
  const where = `${bound('>', after)} AND ${bound('<=', last)}`;
  const { rows } = await target.query<SQLOutputValue[]>({
    text: `
      SELECT ${columns.map((column) => `"${column.name}"`).join(', ')} FROM "${name}"
      WHERE ${where} ORDER BY ${keys} LIMIT ${limit}`,
    values,
    rowMode: 'array',
  });
  return rows;
}
