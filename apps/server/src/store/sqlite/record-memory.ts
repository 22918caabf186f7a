import { type Encoding, fromColumns } from './columns.ts';

type Row = Record<string, unknown>;

const capacity = 2_000;

/**
 * Rows to records, where a row that has not changed gives the very same record: it is decoded once, and whoever
 * derives something from a record may keep it by the record's identity. Records are frozen.
 */
export function recordMemory<T>(encoding: Encoding): (row: Row) => T {
  const known = new Map<unknown, { readonly row: Row; readonly record: T }>();
  return (row) => {
    const earlier = known.get(row['id']);
    if (earlier && same(earlier.row, row)) return earlier.record;
    const record = Object.freeze(fromColumns<T & object>(row, encoding));
    if (known.size >= capacity) known.clear();
    known.set(row['id'], { row, record });
    return record;
  };
}

function same(a: Row, b: Row): boolean {
  for (const column in a) if (a[column] !== b[column]) return false;
  return true;
}
