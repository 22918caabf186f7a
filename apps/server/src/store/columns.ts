/** Which fields of a record are not stored as they are. */
export interface Encoding {
  /** Each with what stands in for a value that is no JSON: one bad record does not take the others with it. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly boolean: readonly string[];
  /** Columns that may be long: their bytes bound a page. */
  readonly long: readonly string[];
}

export function toColumns(record: object, { json, boolean }: Encoding): Record<string, unknown> {
  const columns: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(record)) {
    if (value === undefined) continue;
    columns[columnName(field)] =
      field in json ? JSON.stringify(value) : boolean.includes(field) ? Number(value) : value;
  }
  return columns;
}

export function fromColumns<T>(row: Record<string, unknown>, { json, boolean }: Encoding): T {
  const record: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) {
    const field = fieldName(column);
    record[field] =
      field in json ? parsed(String(value), json[field]) : boolean.includes(field) ? value === 1 : value;
  }
  return record as T;
}

function parsed(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

const columnName = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const fieldName = (column: string) =>
  column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
