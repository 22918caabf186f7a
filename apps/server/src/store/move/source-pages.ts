import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { MovedTable } from './moved-table.ts';

/** Of one transaction of the target. The bytes may be exceeded by one row. */
const maxRows = 1_000;
const maxBytes = 1_024 * 1_024;

export type Key = readonly SQLInputValue[];
export type MovedRow = readonly SQLOutputValue[];

export interface Page {
  readonly rows: readonly MovedRow[];
  readonly last: Key;
}

/** The rows of a table behind a key, in the order of their keys. */
export function* readPages(source: DatabaseSync, table: MovedTable, after: Key | null): Generator<Page> {
  const columns = table.columns.map((column) => column.source).join(', ');
  const key = table.key.map((column) => column.source).join(', ');
  const select = (where: string) =>
    source.prepare(`SELECT ${columns} FROM "${table.name}" ${where} ORDER BY ${key} LIMIT ${maxRows}`);
  const places = table.key.map((column) => table.columns.indexOf(column));
  const next = select(`WHERE (${key}) > (${table.key.map(() => '?').join(', ')})`);
  next.setReturnArrays(true);
  const first = select('');
  first.setReturnArrays(true);
  let last = after;
  for (;;) {
    const rows: MovedRow[] = [];
    let bytes = 0;
    // With `setReturnArrays` a row is an array, which the types do not say.
    const found = (last === null ? first.iterate() : next.iterate(...last)) as Iterable<unknown>;
    for (const row of found as Iterable<SQLOutputValue[]>) {
      rows.push(row);
      bytes += row.reduce<number>((sum, value) => sum + sizeOf(value), 0);
      if (bytes >= maxBytes) break;
    }
    const end = rows.at(-1);
    if (end === undefined) return;
    last = places.map((place) => end[place]!);
    yield { rows, last };
  }
}

function sizeOf(value: SQLOutputValue): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
}
