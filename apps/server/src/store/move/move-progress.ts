import type pg from 'pg';
import { MoveError } from './move-error.ts';
import type { MovedTable } from './moved-table.ts';
import type { Key } from './source-pages.ts';

export interface TableProgress {
  /** The key of the last row that was copied; null before the first. */
  readonly last: Key | null;
  readonly finished: boolean;
}

/** Whether a move into this database has begun and not ended, and from which source. */
export async function readMoveSource(target: pg.ClientBase): Promise<string | null> {
  const { rows } = await target.query(`SELECT to_regclass('move_progress') IS NOT NULL AS begun`);
  if (rows[0]?.begun !== true) return null;
  const marked = await target.query<{ source: string }>('SELECT source FROM move_progress LIMIT 1');
  return marked.rows[0]?.source ?? '';
}

/** Marks the database as one that a move has begun to fill, in one statement. */
export async function beginProgress(
  target: pg.ClientBase,
  source: string,
  tables: readonly MovedTable[],
): Promise<void> {
  await target.query('BEGIN');
  await target.query(`
    CREATE TABLE move_progress (
      name text PRIMARY KEY,
      source text NOT NULL,
      last_key text,
      finished boolean NOT NULL DEFAULT false
    )`);
  await target.query(`INSERT INTO move_progress (name, source) SELECT unnest($1::text[]), $2`, [
    tables.map(({ name }) => name),
    source,
  ]);
  await target.query('COMMIT');
}

export async function readProgress(
  target: pg.ClientBase,
  { name }: Pick<MovedTable, 'name'>,
): Promise<TableProgress> {
  const { rows } = await target.query<{ last: string | null; finished: boolean }>(
    'SELECT last_key AS last, finished FROM move_progress WHERE name = $1',
    [name],
  );
  const [row] = rows;
  if (row === undefined) throw new MoveError(`The unfinished move in the target knows no table ${name}.`);
  return { last: row.last === null ? null : (JSON.parse(row.last) as Key), finished: row.finished };
}

export async function saveProgress(
  target: pg.ClientBase,
  { name }: Pick<MovedTable, 'name'>,
  { last, finished }: TableProgress,
): Promise<void> {
  await target.query('UPDATE move_progress SET last_key = $2, finished = $3 WHERE name = $1', [
    name,
    last === null ? null : JSON.stringify(last),
    finished,
  ]);
}
