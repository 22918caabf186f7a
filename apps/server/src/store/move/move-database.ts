import pg from 'pg';
import { migrate } from '../postgres/migrate.ts';
import { compareTable } from './compare-table.ts';
import { copyTable } from './copy-table.ts';
import { MoveError } from './move-error.ts';
import { beginProgress, readMoveSource } from './move-progress.ts';
import { type MovedTable, listMovedTables } from './moved-table.ts';
import { openSource, type Source } from './source.ts';
import { connectTarget, rejectUsedTarget } from './target.ts';

interface Move {
  /** Path of the SQLite file. */
  readonly from: string;
  /** `postgres://user:password@host/database`. */
  readonly to: string;
  /** One line for the operator. */
  readonly report: (line: string) => void;
}

/**
 * Copies every row of an SQLite database that no service holds into an empty PostgreSQL database, or goes on with a move
 * that was interrupted, and compares both. Until it is done, no service starts on the target. Throws `MoveError` for
 * what the operator has to know.
 */
export async function moveDatabase({ from, to, report }: Move): Promise<void> {
  const source = openSource(from);
  try {
    const target = await connectTarget(to);
    try {
      const tables = await prepare(source, target, to, report);
      report(`Copying ${tables.length} tables.`);
      for (const table of tables) await copyTable(source.connection, target, table);
      report('Comparing them.');
      await compare(source, target, tables, report);
      await finish(target, tables);
    } finally {
      await target.end();
    }
  } finally {
    source.close();
  }
}

async function prepare(
  source: Source,
  target: pg.Client,
  url: string,
  report: Move['report'],
): Promise<MovedTable[]> {
  const begun = await readMoveSource(target);
  if (begun !== null && begun !== source.identity)
    throw new MoveError(
      'The target holds an unfinished move of another database, or of this one before its schema changed. Move into an empty database.',
    );
  if (begun === null) await rejectUsedTarget(target);
  // The first service that starts defines the functions.
  await migrate(url, []);
  const tables = await listMovedTables(source.connection, target);
  if (begun === null) await beginProgress(target, source.identity, tables);
  else report('Going on with the move that was interrupted.');
  return tables;
}

async function compare(
  source: Source,
  target: pg.Client,
  tables: readonly MovedTable[],
  report: Move['report'],
): Promise<void> {
  const different: string[] = [];
  for (const table of tables) {
    const { source: was, target: is } = await compareTable(source.connection, target, table);
    const same = was.rows === is.rows && was.digest === is.digest;
    const arrived = same ? 'the same' : `DIFFERENT: ${is.rows} rows, sha256 ${is.digest}`;
    report(`${table.name}: ${was.rows} rows, sha256 ${was.digest}, ${arrived}`);
    if (!same) different.push(table.name);
  }
  if (different.length > 0)
    throw new MoveError(
      `The target differs in ${different.join(', ')}: one of the two databases was changed after the move began. Move into an empty database.`,
    );
}

/** What the target makes itself begins behind what was copied; with that, services may start on it. */
async function finish(target: pg.Client, tables: readonly MovedTable[]): Promise<void> {
  await target.query('BEGIN');
  for (const { name, identity } of tables)
    if (identity !== null)
      await target.query(`
        SELECT setval(pg_get_serial_sequence('"${name}"', '${identity}'), max("${identity}"))
        FROM "${name}" HAVING max("${identity}") IS NOT NULL`);
  await target.query('DROP TABLE move_progress');
  await target.query('COMMIT');
}
