import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { testFolder } from '../../testing/test-service.ts';
import { migrate } from '../postgres/migrate.ts';
import { openPostgresStore } from '../postgres/postgres-store.ts';
import { openSqliteStore } from '../sqlite/sqlite-store.ts';
import { UnfinishedMoveError } from '../unfinished-move-error.ts';
import { fillEveryTable, readEveryTable } from './every-row.ts';
import { moveDatabase } from './move-database.ts';
import { MoveError } from './move-error.ts';

const waiting = { timeout: 30_000, interval: 50 };
/** More than two pages. */
const manyEvents = 2_500;

async function emptyTarget(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return database;
}

/** A database with rows in every table, and a long log. */
async function filledSource(): Promise<string> {
  const path = join(testFolder(), 'parley.db');
  const store = await openSqliteStore({ path });
  await fillEveryTable(store);
  await store.close();
  const connection = new DatabaseSync(path);
  connection.exec(`
    WITH RECURSIVE numbers (n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${100 + manyEvents})
    INSERT INTO events (session, idx, type, data, id, at, concealed)
      SELECT 1, n, 'message.appended', '{"n":' || n || '}', 'event ' || n, '2026', 0 FROM numbers`);
  connection.close();
  return path;
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

interface Interruption {
  readonly meanwhile?: () => Promise<void>;
  readonly interrupt?: (child: ChildProcess) => Promise<unknown>;
}

interface Process {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

function move(path: string, target: Pick<TestDatabase, 'url'>): Process {
  return run('cli/parley.ts', ['move', '--from', `file:${path}`, '--to', target.url]);
}

function run(program: string, args: readonly string[], env: Record<string, string> = {}): Process {
  const { NODE_ENV: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [join(import.meta.dirname, '../..', program), ...args], {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  return { child, ended: once(child, 'close').then(([code]) => ({ code, output, errors })) };
}

/** Rows that a move comes to: one on the second page of a long log, and one of the table that it copies last. */
const inLongLog = `INSERT INTO events (session, idx, type, id, at, concealed) VALUES (1, 1500, '', '', '', 0)`;
const inLastTable = `
  INSERT INTO turns (key, session, sequence, agent_id, status, author, first_index, input_tokens, output_tokens, started_at)
    OVERRIDING SYSTEM VALUE VALUES (1, 9, 9, '', '', '', 0, 0, 0, 0)`;

/** Kills a move, or does something else to it, while it inserts a page with this row. */
async function interruptMove(
  path: string,
  target: TestDatabase,
  row: string,
  { meanwhile = async () => {}, interrupt = async (child) => void child.kill('SIGKILL') }: Interruption = {},
): Promise<Ended> {
  await migrate(target.url, []);
  const blocker = new pg.Client({ connectionString: target.url });
  await blocker.connect();
  onTestFinished(() => blocker.end());
  // Uncommitted, so that the page with the same row waits for what becomes of this one.
  await blocker.query('BEGIN');
  await blocker.query(row);
  const { child, ended } = move(path, target);
  await vi.waitFor(async () => {
    const held = await target.execute(
      `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    );
    expect(held).toHaveLength(1);
  }, waiting);
  await meanwhile();
  await interrupt(child);
  const result = await ended;
  await blocker.query('ROLLBACK');
  return result;
}

test('every row of every table moves', async () => {
  const path = await filledSource();
  const target = await emptyTarget();
  const source = new DatabaseSync(path, { readOnly: true });
  const tables = source
    .prepare(
      `SELECT name FROM pragma_table_list
       WHERE schema = 'main' AND type = 'table' AND name NOT GLOB 'kysely_*' AND name NOT GLOB 'sqlite_*'`,
    )
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !['pulse', 'unsearched_events', 'searched_messages', 'tenant_revisions'].includes(name))
    .filter((name) => !name.startsWith('message_terms'));
  const counts = tables.map((name) => {
    const row = source.prepare(`SELECT count(*) AS rows FROM "${name}"`).get();
    return [name, Number(row?.['rows'])] as const;
  });
  source.close();
  for (const [name, rows] of counts) expect(rows, `rows of ${name}`).toBeGreaterThan(0);

  const lines: string[] = [];
  await moveDatabase({ from: path, to: target.url, report: (line) => lines.push(line) });
  for (const [name, rows] of counts) {
    const [moved] = await target.execute(`SELECT count(*)::integer AS rows FROM "${name}"`);
    expect(moved?.['rows'], `rows of ${name}`).toBe(rows);
    expect(lines.find((line) => line.startsWith(`${name}:`))).toMatch(
      new RegExp(`^${name}: ${rows} rows, sha256 [0-9a-f]{64}, the same$`),
    );
  }
  expect(lines.filter((line) => line.includes(' rows, '))).toHaveLength(tables.length);

  const [before, after] = [await openSqliteStore({ path }), await openPostgresStore({ url: target.url })];
  onTestFinished(() => before.close());
  onTestFinished(() => after.close());
  const content = await readEveryTable(after);
  expect(content).toEqual(await readEveryTable(before));
  expect(content).toMatchObject({ repeated: { outcome: 'repeated' }, limited: 'limited' });
  // Keys that PostgreSQL makes itself begin behind those that moved.
  expect(
    await after.saveFeedback('session_4', { turnId: 'turn_9', rating: 'down', comment: null, at: 10 }),
  ).toBe(true);
});

test('a move that is killed in the middle goes on where it was, and no service starts meanwhile', async () => {
  const path = await filledSource();
  const target = await emptyTarget();
  await interruptMove(path, target, inLongLog);
  const secrets = { ADMIN_TOKEN: 'a'.repeat(48), SECRET_KEY_BASE: 's'.repeat(48) };
  expect(await run('main.ts', [], { ...secrets, PORT: '0', DATABASE_URL: target.url }).ended).toEqual({
    code: 1,
    output: '',
    errors: expect.stringMatching(/^A move into this database has begun and not ended: .*\n$/),
  });
  const [copied] = await target.execute('SELECT count(*)::integer AS rows FROM events');
  expect(copied).toEqual({ rows: 1_000 });

  const { code, output, errors } = await move(path, target).ended;
  expect([code, errors]).toEqual([0, '']);
  expect(output).toContain('Going on');
  expect(output).toMatch(/^events: 2519 rows, sha256 [0-9a-f]{64}, the same$/m);
  await (await openPostgresStore({ url: target.url })).close();
});

test.each([
  ['changed', `UPDATE events SET data = '{"n":0}' WHERE session = 1 AND idx = 500`, 'events'],
  ['removed', `DELETE FROM history WHERE session = 2 AND position = 0`, 'history'],
  ['added', `INSERT INTO tenants VALUES ('zz', 'Another', '2026')`, 'tenants'],
  ['changed in a byte', `UPDATE file_chunks SET bytes = '\\x00010a5c' WHERE number = 1`, 'file_chunks'],
])('a row that was %s is found', async (_name, tamper, table) => {
  const path = await filledSource();
  const target = await emptyTarget();
  await interruptMove(path, target, inLastTable);
  await target.execute(tamper);
  const { code, output, errors } = await move(path, target).ended;
  expect(code).toBe(1);
  expect(output).toMatch(new RegExp(`^${table}: .*DIFFERENT`, 'm'));
  expect(errors).toContain(`differs in ${table}:`);
  await expect(openPostgresStore({ url: target.url })).rejects.toThrow(UnfinishedMoveError);
  await expect(openPostgresStore({ url: target.url })).rejects.toThrow('run parley move again');
});

test('a source that a service holds is rejected, and one that is moved is held', async () => {
  const path = await filledSource();
  const target = await emptyTarget();
  const store = await openSqliteStore({ path });
  expect(await move(path, target).ended).toMatchObject({
    code: 1,
    errors: expect.stringContaining('is in use'),
  });
  await store.close();
  await interruptMove(path, target, inLongLog, {
    meanwhile: () => expect(openSqliteStore({ path })).rejects.toThrow(/is in use/),
  });
  expect(await move(path, target).ended).toMatchObject({ code: 0 });
});

test('a target with a row in it, and one that another database is being moved to, are rejected', async () => {
  const [path, other] = [await filledSource(), await filledSource()];
  const target = await emptyTarget();
  const report = () => undefined;
  await interruptMove(path, target, inLongLog);
  await expect(moveDatabase({ from: other, to: target.url, report })).rejects.toThrow(/of another database/);
  await moveDatabase({ from: path, to: target.url, report });
  await expect(moveDatabase({ from: path, to: target.url, report })).rejects.toThrow(/not empty/);
});

test('a table or a column that one of the two schemas does not have is no move', async () => {
  const report = () => undefined;
  for (const change of [
    'CREATE TABLE forgotten (key INTEGER PRIMARY KEY)',
    'ALTER TABLE turns ADD forgotten TEXT',
  ]) {
    const path = await filledSource();
    const connection = new DatabaseSync(path);
    connection.exec(change);
    connection.close();
    const target = await emptyTarget();
    await expect(moveDatabase({ from: path, to: target.url, report })).rejects.toThrow(MoveError);
  }
});

test('a row that is beyond what PostgreSQL can hold is named by its table', async () => {
  const path = await filledSource();
  const connection = new DatabaseSync(path);
  connection.exec('UPDATE sessions SET visitor = hex(randomblob(8000))');
  connection.close();
  const target = await emptyTarget();
  const moved = moveDatabase({ from: path, to: target.url, report: () => undefined });
  await expect(moved).rejects.toThrow(/^Rows of the table sessions cannot be copied: index row requires /);
});

test('what is wrong with the command or the target is one message', async () => {
  const path = await filledSource();
  const unreachable = { url: 'postgres://user:password@127.0.0.1:1/parley' };
  for (const { ended } of [run('cli/parley.ts', ['move', '--from', path]), move(path, unreachable)]) {
    const { code, errors } = await ended;
    expect(code).toBe(1);
    expect(errors).not.toMatch(/ {4}at |password@127/);
  }
});

test.each([
  ['--from', 'an SQLite file', { from: 'parley.db', to: 'postgres://user:password@127.0.0.1:1/parley' }],
  ['--from', 'an SQLite file', { from: 'postgres://h/d', to: 'file:parley.db' }],
  [
    '--to',
    'a PostgreSQL database',
    { from: 'file:parley.db', to: 'mysql://user:password@127.0.0.1:1/parley' },
  ],
])('where %s is not the address of %s, move says so', async (option, what, { from, to }) => {
  const { code, errors } = await run('cli/parley.ts', ['move', '--from', from, '--to', to]).ended;
  expect(errors).toMatch(new RegExp(`^${option} takes the address of ${what}\\.\nUsage: parley move `));
  expect(errors).not.toContain('user:password@127');
  expect(code).toBe(1);
});

test('a folder is no database to move', async () => {
  const folder = testFolder();
  const { code, errors } = await move(folder, { url: 'postgres://user:password@127.0.0.1:1/parley' }).ended;
  expect([code, errors]).toEqual([1, `There is no database at ${folder}.\n`]);
});

test('a source whose lock this user may only read is named, and not the target', () => {
  const folder = testFolder();
  chmodSync(folder, 0o755);
  const path = join(folder, 'parley.db');
  for (const file of [path, `${path}-owner`]) writeFileSync(file, '', { mode: 0o444 });
  // Root may write to everything.
  const program = `
    import { move } from ${JSON.stringify(join(import.meta.dirname, '../../cli/move.ts'))};
    if (process.getuid() === 0) process.setuid(65_534);
    const words = ['--from', ${JSON.stringify(`file:${path}`)}, '--to', 'postgres://user:password@127.0.0.1:1/parley'];
    await move(words).catch(({ message }) => console.log(message));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  expect(stdout).toMatch(/^--from: .*parley\.db-owner/);
});

/** The address with another name in it, or as another user. */
const changed = ({ url }: TestDatabase, change: Partial<URL>) => ({
  url: Object.assign(new URL(url), change).href,
});

test.each<[string, (target: TestDatabase) => Promise<{ url: string }>, RegExp]>([
  [
    'has nobody who answers',
    async () => ({ url: 'postgres://user:password@localhost:1/parley' }),
    /^--to: no PostgreSQL answers there\. .*\(.*ECONNREFUSED.*\)$/,
  ],
  [
    'is not on its server',
    async (target) => changed(target, { pathname: '/nowhere' }),
    /^--to: PostgreSQL has no database of this name\./,
  ],
  [
    'does not know the user',
    async (target) => changed(target, { username: 'nobody_here' }),
    /^--to: .*(?:this user|role "nobody_here")/,
  ],
  [
    'lets the user make nothing',
    async (target) => {
      const role = `guest_${randomBytes(4).toString('hex')}`;
      await target.execute(`CREATE ROLE ${role} LOGIN PASSWORD 'password'`);
      onTestFinished(async () => void (await target.execute(`DROP ROLE ${role}`)));
      return changed(target, { username: role, password: 'password' });
    },
    /^--to: PostgreSQL does not let this user make what is kept there\./,
  ],
  [
    'takes no writes',
    async (target) => {
      await target.execute(
        `ALTER DATABASE ${new URL(target.url).pathname.slice(1)} SET default_transaction_read_only = on`,
      );
      return target;
    },
    /^--to: .*read-only/,
  ],
])('a target that %s is named in one line', async (_what, given, problem) => {
  const path = await filledSource();
  const { code, errors } = await move(path, await given(await emptyTarget())).ended;
  expect(errors.trimEnd()).toMatch(problem);
  expect(errors.trimEnd().split('\n')).toHaveLength(1);
  expect(code).toBe(1);
});

test('a target that goes away half way is named in one line, and the move goes on later', async () => {
  const path = await filledSource();
  const target = await emptyTarget();
  const ended = await interruptMove(path, target, inLongLog, {
    interrupt: () =>
      target.execute(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'parley move' AND datname = current_database()`,
      ),
  });
  expect(ended.errors).toMatch(/^--to: .*terminat.*\n$/);
  expect(ended.code).toBe(1);
  expect(await move(path, target).ended).toMatchObject({ code: 0 });
});

test('a database of another version, and none, are rejected', async () => {
  const path = await filledSource();
  const connection = new DatabaseSync(path);
  connection.exec(`DELETE FROM kysely_migration WHERE name = '0015-key-use'`);
  connection.close();
  const target = await emptyTarget();
  const report = () => undefined;
  await expect(moveDatabase({ from: path, to: target.url, report })).rejects.toThrow(/this version/);
  await expect(moveDatabase({ from: `${path}.none`, to: target.url, report })).rejects.toThrow(/no database/);
});
