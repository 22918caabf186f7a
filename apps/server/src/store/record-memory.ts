import { type Encoding, fromColumns } from './columns.ts';

type Row = Record<string, unknown>;

const maxRecords = 2_000;
/** Of all their columns: an agent or a tool may have a megabyte. Decoded, a record takes several times as much. */
const maxCharacters = 8 * 1_024 * 1_024;

/**
 * Rows to records, where a row that has not changed gives the very same record: it is decoded once, and whoever
 * derives something from a record may keep it by the record's identity. Records are frozen.
 */
export function recordMemory<T>(encoding: Encoding): (row: Row) => T {
  const known = new Map<unknown, { readonly row: Row; readonly record: T }>();
  let characters = 0;
  return (row) => {
    const earlier = known.get(row['id']);
    if (earlier && same(earlier.row, row)) return earlier.record;
    const record = Object.freeze(fromColumns<T & object>(row, encoding));
    const length = lengthOf(row) - (earlier ? lengthOf(earlier.row) : 0);
    if (known.size >= maxRecords || characters + length > maxCharacters) {
      known.clear();
      characters = lengthOf(row);
    } else {
      characters += length;
    }
    known.set(row['id'], { row, record });
    return record;
  };
}

function same(a: Row, b: Row): boolean {
  for (const column in a) if (a[column] !== b[column]) return false;
  return true;
}

function lengthOf(row: Row): number {
  let length = 0;
  for (const value of Object.values(row)) if (typeof value === 'string') length += value.length;
  return length;
}
