import type { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { MoveError } from './move-error.ts';
import type { MovedTable } from './moved-table.ts';
import { readProgress, saveProgress } from './move-progress.ts';
import { type Key, type MovedRow, readPages } from './source-pages.ts';

/** SQLSTATE of what PostgreSQL does not take: a value, what goes against a constraint, and what is beyond its limits. */
const ofRows = /^(?:2[23]|54)/;

/** Copies what is not copied yet. Each page is one transaction, with the progress it makes. */
export async function copyTable(
  source: DatabaseSync,
  target: pg.ClientBase,
  table: MovedTable,
): Promise<void> {
  const progress = await readProgress(target, table);
  if (progress.finished) return;
  let last: Key | null = progress.last;
  for (const page of readPages(source, table, last)) {
    last = page.last;
    await target.query('BEGIN');
    await insert(target, table, page.rows);
    await saveProgress(target, table, { last, finished: false });
    await target.query('COMMIT');
  }
  await saveProgress(target, table, { last, finished: true });
}

async function insert(
  target: pg.ClientBase,
  { name, columns }: MovedTable,
  rows: readonly MovedRow[],
): Promise<void> {
  const names = columns.map((column) => `"${column.name}"`).join(', ');
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
  try {
    await target.query({
      name: `copy ${name}`,
      text: `INSERT INTO "${name}" (${names}) OVERRIDING SYSTEM VALUE SELECT * FROM unnest(${arrays})`,
      values: columns.map((_, index) => rows.map((row) => toParameter(row[index]))),
    });
  } catch (cause) {
    if (!(cause instanceof pg.DatabaseError) || !ofRows.test(cause.code ?? '')) throw cause;
    throw new MoveError(`Rows of the table ${name} cannot be copied: ${cause.message}.`, {
      cause,
    });
  }
}

function toParameter(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.length) : value;
}
