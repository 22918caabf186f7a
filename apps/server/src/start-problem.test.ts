import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { loadOrCreateSecret } from './crypto/load-or-create-secret.ts';
import { startProblem } from './start-problem.ts';
import { ownFile } from './store/sqlite/file-owner.ts';
import { nodeSqliteDialect } from './store/sqlite/kysely-dialect.ts';
import { migrate } from './store/sqlite/migrate.ts';
import { openSqliteStore } from './store/sqlite/sqlite-store.ts';
import { testFolder } from './testing/test-service.ts';

const spawnWith = (environment: Record<string, string>, words: readonly string[] = []) =>
  spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...words], {
    cwd: testFolder(),
    env: { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'silent', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });

/** What the service says when it is started so, once it is gone. */
async function startedWith(environment: Record<string, string>, ...words: string[]) {
  const child = spawnWith(environment, words);
  let said = '';
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const [code] = await once(child, 'close');
  return { code, said };
}

/** A server that does this with whoever connects, once they have said something; its address. */
async function serverThat(answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('data', () => answer(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `postgres://a:b@127.0.0.1:${(server.address() as AddressInfo).port}/none`;
}

/** One that answers whoever connects with an error of PostgreSQL alone. */
function refusing(code: string, message: string): Promise<string> {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(fields.length + 4, 1);
  return serverThat((socket) => socket.end(Buffer.concat([head, fields])));
}

/** What PostgreSQL says to a client that signs in. */
function authentication(step: number, data: string): Buffer {
  const message = Buffer.from(`R\0\0\0\0\0\0\0\0${data}`, 'latin1');
  message.writeInt32BE(message.length - 1, 1);
  message.writeInt32BE(step, 5);
  return message;
}

/** One that lets everybody in, as PostgreSQL does, and does this with the first query. */
function admitting(answer: (socket: Socket) => void): Promise<string> {
  const admitted = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1');
  return serverThat((socket) => {
    socket.once('data', () => answer(socket));
    socket.write(admitted);
  });
}

const secrets = { ADMIN_TOKEN: 'a'.repeat(32), SECRET_KEY_BASE: 's'.repeat(48) };

test.each([
  [
    'nobody answers at its address',
    () => ({ DATABASE_URL: 'postgres://a:b@127.0.0.1:1/none', ...secrets }),
    /^DATABASE_URL: no PostgreSQL answers there\. Start it, or correct the address\./,
  ],
  [
    'PostgreSQL is only starting',
    async () => ({ DATABASE_URL: await refusing('57P03', 'the database system is starting up'), ...secrets }),
    /^DATABASE_URL: PostgreSQL is starting or stopping\./,
  ],
  [
    'PostgreSQL has no connection left',
    async () => ({ DATABASE_URL: await refusing('53300', 'sorry, too many clients already'), ...secrets }),
    /^DATABASE_URL: PostgreSQL takes no more connections\./,
  ],
  [
    'PostgreSQL asks for a password and the address has none',
    async () => {
      const challenge = `r=${'n'.repeat(18)},s=c2FsdA==,i=4096`;
      const url = await serverThat((socket) => {
        socket.once('data', () => socket.write(authentication(11, challenge)));
        socket.write(authentication(10, 'SCRAM-SHA-256\0\0'));
      });
      return { DATABASE_URL: url.replace('a:b@', 'a@'), ...secrets };
    },
    /^DATABASE_URL: PostgreSQL asks for a password\. Name it in the address, or in the variable PGPASSWORD\./,
  ],
  [
    'a balancer without a PostgreSQL behind it ends the connection',
    async () => ({ DATABASE_URL: await serverThat((socket) => socket.end()), ...secrets }),
    /^DATABASE_URL: .*Connection terminated unexpectedly/,
  ],
  [
    'PostgreSQL goes away while it is asked',
    async () => ({ DATABASE_URL: await admitting((socket) => socket.resetAndDestroy()), ...secrets }),
    /^DATABASE_URL: no PostgreSQL answers there\./,
  ],
  [
    'PostgreSQL lets it in and then says nothing',
    async () => ({ DATABASE_URL: await admitting(() => undefined), ...secrets }),
    /^DATABASE_URL: .*timeout/,
  ],
  [
    'it should listen at a name that nobody has',
    () => ({ HOST: 'nowhere.invalid' }),
    /^HOST: this machine has no such address\./,
  ],
  [
    'the database is a folder',
    () => {
      const folder = join(testFolder(), 'parley.db');
      mkdirSync(folder);
      return { DATABASE_URL: `file:${folder}` };
    },
    /^DATABASE_URL: /,
    78,
  ],
  [
    'the database is another file',
    () => {
      const file = join(testFolder(), 'parley.db');
      writeFileSync(file, 'not a database, but long enough to be looked at '.repeat(100));
      return { DATABASE_URL: `file:${file}` };
    },
    /^DATABASE_URL: the file is no SQLite database\./,
    78,
  ],
  [
    'a newer version has written the database',
    async () => {
      const file = join(testFolder(), 'parley.db');
      await (await openSqliteStore({ path: file })).close();
      const connection = new DatabaseSync(file);
      connection.exec(`INSERT INTO kysely_migration VALUES ('9999-later', '2030-01-01')`);
      connection.close();
      return { DATABASE_URL: `file:${file}` };
    },
    /^The database was written by a newer version of Parley: /,
    78,
  ],
] as const)(
  'where %s, the operator is told what to do, in one line',
  async (_what, environment, sentence, end?: number) => {
    const { code, said } = await startedWith(await environment());
    expect(said).toMatch(sentence);
    expect(said.trimEnd().split('\n')).toHaveLength(1);
    // 78 (EX_CONFIG) is what a supervisor does not try again.
    expect(code).toBe(end ?? 1);
  },
);

test('a database whose lock cannot be used is not said to be in use', () => {
  const file = join(testFolder(), 'parley.db');
  writeFileSync(`${file}-owner`, 'neither a lock nor empty, but long enough to be looked at '.repeat(100));
  let problem: string | null = null;
  try {
    ownFile(file).release();
  } catch (error) {
    problem = startProblem(error);
  }
  expect(problem).toMatch(/^DATABASE_URL: /);
});

test('a lock that this user may only read, which anybody could hold at once, is no lock', () => {
  const folder = testFolder();
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'parley.db-owner'), '', { mode: 0o444 });
  // Root may write to everything.
  const program = `
    import { startProblem } from ${JSON.stringify(join(import.meta.dirname, 'start-problem.ts'))};
    import { ownFile } from ${JSON.stringify(join(import.meta.dirname, 'store/sqlite/file-owner.ts'))};
    if (process.getuid() === 0) process.setuid(65_534);
    try {
      ownFile(${JSON.stringify(join(folder, 'parley.db'))});
      console.log('It is owned.');
    } catch (error) {
      console.log(startProblem(error));
    }`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  expect(stdout).toMatch(/^This user may not do that: .*parley\.db-owner/);
});

test('a disk that is full while the schema is brought up is named, and nobody is told to report it', async () => {
  const connection = new DatabaseSync(':memory:');
  onTestFinished(() => connection.close());
  connection.exec('PRAGMA max_page_count = 20');
  const failure = await migrate(new Kysely({ dialect: nodeSqliteDialect(connection) })).catch(
    (error: unknown) => error,
  );
  expect(startProblem(failure)).toMatch(/^The disk of the database is full\. Make room,/);
});

test('a port that is taken is named', async () => {
  const occupant = createServer().listen(0, '127.0.0.1');
  await once(occupant, 'listening');
  const { port } = occupant.address() as AddressInfo;
  const { code, said } = await startedWith({ PORT: String(port) });
  occupant.close();
  expect(said).toMatch(/^PORT: another program listens there already\. Choose another, such as PORT=3010\./);
  expect(said).toContain(String(port));
  expect(code).toBe(1);
});

test('a secret that cannot be read is named, and no other is made in its place', () => {
  const folder = testFolder();
  const [broken, short] = [join(folder, 'folder'), join(folder, 'short')];
  mkdirSync(broken);
  writeFileSync(short, 'forgotten\n');
  const problem = (file: string) => {
    try {
      return loadOrCreateSecret(file).value;
    } catch (error) {
      return startProblem(error);
    }
  };
  expect(problem(broken)).toMatch(/folder: the secret in it cannot be read.*Put back what was there\./);
  expect(problem(short)).toMatch(/short: a secret has 32 characters at least/);
  expect(readFileSync(short, 'utf8')).toBe('forgotten\n');
});

test('what stands behind the command is not passed over in silence', async () => {
  const { code, said } = await startedWith({}, '--port', '3010');
  expect(said).toBe('The service takes no arguments: it is configured by variables of the environment.\n');
  expect(code).toBe(78);
});

test('a service that is told to stop during its start ends, as the first process of a container, too', async () => {
  const { promise: isStarting, resolve } = Promise.withResolvers<void>();
  const child = spawnWith({ DATABASE_URL: await serverThat(() => resolve()), ...secrets });
  const closed = once(child, 'close');
  await isStarting;
  child.kill('SIGTERM');
  // No signal has ended it, which the first process of a container does not hear.
  expect(await closed).toEqual([0, null]);
});

test('so does one that is told while it is only being loaded', async () => {
  const hook = `
    import { registerHooks } from 'node:module';
    registerHooks({
      load(url, context, next) {
        if (url.endsWith('/src/service.ts')) process.kill(process.pid, 'SIGTERM');
        return next(url, context);
      },
    });`;
  const child = spawnWith({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` });
  expect(await once(child, 'close')).toEqual([0, null]);
});
