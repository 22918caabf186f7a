import type { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';
import { MoveError } from './move-error.ts';

interface MovedColumn {
  /** In the target. */
  readonly name: string;
  /** Its type in the target. */
  readonly type: string;
  /** What it is in the source, as SQL. */
  readonly source: string;
}

export interface MovedTable {
  /** In both databases. */
  readonly name: string;
  readonly columns: readonly MovedColumn[];
  /** The columns that tell its rows apart; both engines order rows alike by them. */
  readonly key: readonly MovedColumn[];
  /** The column whose values the target makes itself for later rows. */
  readonly identity: string | null;
}

/** What each database keeps for itself: which migrations ran, the row that a health probe writes, what is made anew of events, and how often settings were written. */
const ownTables = {
  source: [
    'kysely_migration',
    'kysely_migration_lock',
    'pulse',
    'unsearched_events',
    'searched_messages',
    'tenant_revisions',
  ],
  target: [
    'kysely_migration',
    'kysely_migration_lock',
    'health_probe',
    'move_progress',
    'passage_digests',
    'digested_passages',
    'unsearched_events',
    'searched_messages',
    'tenant_revisions',
  ],
};

/** Columns of the target that are called, or made, otherwise in the source. */
const sourceOf: Readonly<Record<string, string>> = {
  'quotas.window_number': '"window"',
  'idempotency.result': '"answer"',
  // An hour of the last activity and the latest acquisition of a lease are kept by the target only.
  'sessions.active_hour': 'active_at / 3600000',
  'sessions.acquisition': 'NULL',
};
/** Columns of the source that the target has no use for. */
const dropped = new Set(['file_chunks.key']);

/**
 * Every table of the schema, each after those it refers to. Throws when one of either database, or a column of one, is
 * unknown to the other.
 */
export async function listMovedTables(source: DatabaseSync, target: pg.ClientBase): Promise<MovedTable[]> {
  const tables = listSourceTables(source);
  const targetColumns = await listTargetColumns(target);
  const unknown = [...targetColumns.keys()].filter((name) => !tables.includes(name));
  if (unknown.length > 0)
    throw new MoveError(`The target has tables of something else: ${unknown.join(', ')}.`);
  return tables.map((table) => {
    const described = targetColumns.get(table) ?? [];
    const sourceNames = source.prepare('SELECT name FROM pragma_table_info(?)').all(table);
    const columns = described.map(({ name, type }) => ({
      name,
      type,
      source: sourceOf[`${table}.${name}`] ?? `"${name}"`,
    }));
    const read = new Set(columns.map((column) => column.source));
    for (const { name } of sourceNames)
      if (!read.has(`"${String(name)}"`) && !dropped.has(`${table}.${String(name)}`))
        throw new MoveError(`Of the table ${table}, the target has no column for ${String(name)}.`);
    const key = described.filter(({ keyPosition }) => keyPosition !== null);
    key.sort((one, other) => Number(one.keyPosition) - Number(other.keyPosition));
    return {
      name: table,
      columns,
      key: key.map(({ name }) => columns.find((column) => column.name === name)!),
      identity: described.find(({ isIdentity }) => isIdentity)?.name ?? null,
    };
  });
}

function listSourceTables(source: DatabaseSync): string[] {
  const names = source
    // The tables of an index of terms are the engine's own.
    .prepare(
      `SELECT name FROM pragma_table_list
       WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
    )
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !ownTables.source.includes(name));
  const parents = source.prepare('SELECT "table" AS parent FROM pragma_foreign_key_list(?)');
  const ordered = new Set<string>();
  const add = (name: string): void => {
    for (const { parent } of parents.all(name)) if (!ordered.has(String(parent))) add(String(parent));
    ordered.add(name);
  };
  names.forEach(add);
  return [...ordered];
}

interface TargetColumn {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly isIdentity: boolean;
  /** In the primary key, or null. */
  readonly keyPosition: number | null;
}

async function listTargetColumns(target: pg.ClientBase): Promise<Map<string, TargetColumn[]>> {
  const { rows } = await target.query<TargetColumn>(
    `SELECT pg_class.relname AS "table", attname AS name, format_type(atttypid, NULL) AS type,
       attidentity <> '' AS "isIdentity", array_position(indkey::smallint[], attnum) AS "keyPosition"
     FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
       LEFT JOIN pg_index ON indrelid = pg_class.oid AND indisprimary
     WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND NOT relname = ANY ($1)
     ORDER BY relname, attnum`,
    [ownTables.target],
  );
  return Map.groupBy(rows, ({ table }) => table);
}
