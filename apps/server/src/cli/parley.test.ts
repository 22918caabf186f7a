import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createLogger } from '../logger.ts';
import { startService } from '../service.ts';
import { createTestDatabase } from '../testing/test-database.ts';
import { request, testFolder } from '../testing/test-service.ts';

/** What the command says, and how it ends. */
function parley(command: readonly string[], environment: Record<string, string>, input?: string) {
  return run(process.execPath, words(command), environment, input);
}

const words = (command: readonly string[]) => [join(import.meta.dirname, 'parley.ts'), ...command];

async function run(
  program: string,
  given: readonly string[],
  environment: Record<string, string>,
  input = '',
) {
  const child = spawn(program, given, {
    cwd: testFolder(),
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // One that reads nothing may be over before it is written.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  const [code] = await once(child, 'close');
  return { code: Number(code), said };
}

test('what is not a command, and words that a command does not take, are answered with the usage', async () => {
  const [unknown, wrong] = await Promise.all([parley(['sevre'], {}), parley(['backup'], {})]);
  expect(unknown.said).toMatch(/There is no command sevre\.[^]*doctor .*[^]*backup /);
  expect(wrong.said).toContain('Usage: parley backup FILE');
  expect([unknown.code, wrong.code]).toEqual([1, 1]);
});

test.each([
  ['serve', '--help', 'serve'],
  ['init', '--help', 'init [--tenant NAME]'],
  ['doctor', '-h', 'doctor'],
  ['backup', '--help', 'backup FILE'],
  ['restore', '-h', 'restore FILE'],
  ['migrate', '--help', 'migrate'],
  ['move', '--help', 'move --from file:<path>'],
])('%s %s prints what the command does and takes, and does nothing', async (name, option, usage) => {
  // Wrong, so that whatever is done besides fails.
  const { code, said } = await parley([name, option], { PORT: 'none' });
  expect(said).toContain(`Usage: parley ${usage}`);
  expect(said).not.toContain('Unknown option');
  expect(code).toBe(0);
});

test('a variable that is wrong ends serve with a code that its supervisor does not try again', async () => {
  const { code, said } = await parley(['serve'], { TRUST_PROXY: 'yes' });
  expect(said).toMatch(/^The configuration is wrong\.\n {2}TRUST_PROXY: must be/);
  expect(code).toBe(78);
});

test('init makes an agent that answers, with no service and beside one, and says why a model does not', async () => {
  const environment = { DATABASE_URL: `file:${testFolder()}/parley.db`, PORT: '0' };
  const origin = 'https://www.example.com';
  const { code, said } = await parley(['init', '--agent', 'Ada', '--origin', origin], environment);
  expect(said).toContain('Its model answers: You said: Hello!');
  expect(said).toContain('Start the service:');
  expect(code).toBe(0);
  expect(said).toMatch(/<script async src="http:[^"]+\/v1\/parley.js" data-key="pk_live_\w+"/);
  const service = await startService(readConfig(environment), createLogger('silent'));
  onTestFinished(() => service.stop());
  const there = { ...environment, PORT: new URL(service.url).port };
  const dead = ['--provider', 'openai-compatible', '--model', 'm', '--base-url', 'http://127.0.0.1:11434'];
  const failed = await parley(['init', ...dead], there);
  expect(failed.said).toMatch(/Its model does not answer: .*EGRESS_ALLOW=127\.0\.0\.1:11434/);
  expect(failed.said).not.toContain('Start the service:');
  expect(failed.code).toBe(1);
  const authorization = `Bearer ${service.adminToken.value}`;
  const tenants = await request(`${service.url}/api/v1/settings/tenants`, { headers: { authorization } });
  expect(tenants.body.items).toHaveLength(1);
  const answer = await request(`${service.url}/api/v1/agent/chat`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${/sk_live_\w+/.exec(said)?.[0]}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ id: 'first-question', text: 'Hello!' }),
  });
  expect(answer.body.text).toBe('You said: Hello!');
});

test('init reads the key of a provider from what is written to it, and says where that is missing', async () => {
  const environment = { DATABASE_URL: `file:${testFolder()}/parley.db`, PORT: '0' };
  const asked: (string | undefined)[] = [];
  const provider = createHttpServer((request, response) => {
    asked.push(request.headers.authorization);
    response.writeHead(401).end();
  });
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  onTestFinished(() => void provider.close());
  const host = `127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const model = ['--provider', 'openai-compatible', '--model', 'm', '--base-url', `http://${host}`];
  const given = ['init', ...model, '--api-key', '-'];
  const { said } = await parley(given, { ...environment, EGRESS_ALLOW: host }, 'sk-written\n');
  expect(said).toContain('Its model does not answer');
  expect(new Set(asked)).toEqual(new Set(['Bearer sk-written']));
  const missing = await parley(given, environment);
  expect([missing.code, missing.said]).toEqual([1, expect.stringMatching(/^With --api-key -/)]);
  const long = await parley(given, environment, 'k'.repeat(10_001));
  expect([long.code, long.said]).toEqual([1, expect.stringContaining('longer than 10000 characters')]);
});

test('init names its option where a word is wrong, and leaves nothing that it has made', async () => {
  const environment = { DATABASE_URL: `file:${testFolder()}/parley.db`, PORT: '0' };
  const wrong = await parley(['init', '--origin', 'https://*.com'], environment);
  expect(wrong.said).toMatch(/^--origin: Anybody can have a site below com\..*\n$/);
  const incomplete = await parley(['init', '--provider', 'openai'], environment);
  expect(incomplete).toEqual({ code: 1, said: '--model: It is missing.\n' });
  expect(wrong.code).toBe(1);
  const service = await startService(readConfig(environment), createLogger('silent'));
  onTestFinished(() => service.stop());
  const headers = { authorization: `Bearer ${service.adminToken.value}` };
  for (const kind of ['tenants', 'agents', 'keys'])
    expect((await request(`${service.url}/api/v1/settings/${kind}`, { headers })).body.items).toEqual([]);
});

test('an init that fails beside others leaves what they have made', async () => {
  const environment = { DATABASE_URL: `file:${testFolder()}/parley.db`, PORT: '0' };
  expect(await parley(['init'], environment)).toMatchObject({ code: 0 });
  const wrong = await parley(['init', '--agent', 'Another', '--origin', 'https://*.com'], environment);
  expect(wrong).toEqual({ code: 1, said: expect.stringMatching(/^--origin: /) });
  const service = await startService(readConfig(environment), createLogger('silent'));
  onTestFinished(() => service.stop());
  const headers = { authorization: `Bearer ${service.adminToken.value}` };
  const count = async (kind: string) =>
    (await request(`${service.url}/api/v1/settings/${kind}`, { headers })).body.items.length;
  expect([await count('tenants'), await count('agents'), await count('keys')]).toEqual([1, 1, 2]);
});

test('init asks for the key of a provider on a terminal, takes a line of it, and shows none of it', async () => {
  const environment = { DATABASE_URL: `file:${testFolder()}/parley.db`, PORT: '0' };
  // Without a model nothing is made, and no provider is asked.
  const given = [process.execPath, ...words(['init', '--provider', 'openai', '--api-key', '-'])];
  const command = given.map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  let said = '';
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  await expect.poll(() => said).toContain('The key of the provider, and Enter');
  // The terminal stays open.
  child.stdin.write('sk-typed\n');
  await once(child, 'close');
  expect(said).toContain('--model: It is missing.');
  expect(said).not.toContain('typed');
});

test('the doctor says that a database is not of the secret, as a start does, and makes none', async () => {
  const environment = { DATABASE_URL: `file:${testFolder()}/parley.db`, PORT: '0' };
  const { DATABASE_URL: address } = environment;
  const service = await startService(readConfig(environment), createLogger('silent'));
  await service.stop();
  expect(await parley(['doctor'], environment)).toMatchObject({
    code: 0,
    said: expect.stringContaining('opens with its secret'),
  });
  const other = await parley(['doctor'], { ...environment, SECRET_KEY_BASE: 's'.repeat(48) });
  expect(other.said).toMatch(
    /WRONG {2}The database does not open.*\n\s+SECRET_KEY_BASE: .* after the new one/,
  );
  expect(other.code).toBe(1);
  const secret = `${address.slice('file:'.length)}.secret-key-base`;
  rmSync(secret);
  const lost = await parley(['doctor'], environment);
  expect(lost.said).toContain(`${secret} is not there`);
  expect(existsSync(secret)).toBe(false);
});

test('the doctor says that no start opens the database: of a newer version, or none at all', async () => {
  const folder = testFolder();
  const [newer, text, nested] = [join(folder, 'newer.db'), join(folder, 'text.db'), join(folder, 'folder')];
  expect(await parley(['migrate'], { DATABASE_URL: `file:${newer}` })).toMatchObject({ code: 0 });
  using database = new DatabaseSync(newer);
  database.exec(`INSERT INTO kysely_migration VALUES ('9999-later', '2027')`);
  writeFileSync(text, 'not a database, but long enough to be looked at '.repeat(100));
  mkdirSync(nested);
  for (const [file, why] of [
    [newer, 'written by a newer version of Parley'],
    [text, 'is no SQLite database'],
    [nested, 'a folder is no database'],
  ] as const) {
    const { code, said } = await parley(['doctor'], { DATABASE_URL: `file:${file}`, PORT: '0' });
    expect(said).toMatch(new RegExp(`WRONG {2}The database does not open\\.\n\\s+.*${why}`));
    expect(code).toBe(1);
  }
});

test('the doctor says that no start opens a PostgreSQL of another secret, of a newer version, or moved in part', async () => {
  const postgres = await createTestDatabase();
  onTestFinished(() => postgres.drop());
  const environment = {
    DATABASE_URL: postgres.url,
    PORT: '0',
    ADMIN_TOKEN: 'a'.repeat(32),
    SECRET_KEY_BASE: 's'.repeat(48),
  };
  const service = await startService(readConfig(environment), createLogger('silent'));
  await service.stop();
  expect((await parley(['doctor'], environment)).said).toContain('opens with its secret');
  const other = await parley(['doctor'], { ...environment, SECRET_KEY_BASE: 'o'.repeat(48) });
  expect(other.said).toMatch(/WRONG {2}The database does not open\.\n\s+SECRET_KEY_BASE: /);
  await postgres.execute(`INSERT INTO kysely_migration VALUES ('9999-later', '2027')`);
  const newer = await parley(['doctor'], environment);
  expect(newer.said).toMatch(/WRONG {2}The database does not open\.\n\s+.*by a newer version/);
  await postgres.execute('CREATE TABLE move_progress ()');
  const moved = await parley(['doctor'], environment);
  expect(moved.said).toMatch(/WRONG {2}The database does not open\.\n\s+A move into this database has begun/);
  expect([other.code, newer.code, moved.code]).toEqual([1, 1, 1]);
});

test('the doctor takes a PostgreSQL whose first start was cut off for one that a start opens', async () => {
  const postgres = await createTestDatabase();
  onTestFinished(() => postgres.drop());
  // The list of migrations is made before the first of them.
  await postgres.execute('DROP TABLE secret_check');
  await postgres.execute('DELETE FROM kysely_migration');
  const secrets = { ADMIN_TOKEN: 'a'.repeat(32), SECRET_KEY_BASE: 's'.repeat(48) };
  const { said } = await parley(['doctor'], { DATABASE_URL: postgres.url, PORT: '0', ...secrets });
  expect(said).toMatch(/ok {5}PostgreSQL .* answers\./);
  expect(said).not.toContain('does not open');
});

test('a backup is restored where nothing is, and nothing else is taken for one', async () => {
  const folder = testFolder();
  const [database, file] = [join(folder, 'parley.db'), join(folder, 'copy.db')];
  const environment = { DATABASE_URL: `file:${database}` };
  expect(await parley(['migrate'], environment)).toMatchObject({ code: 0 });
  const taken = await parley(['backup', file], environment);
  expect(taken.said).toContain(`keep ${database}.secret-key-base apart`);
  expect((await parley(['backup', file], environment)).said).toContain('is there already');
  expect((await parley(['restore', file], environment)).said).toContain('Move it away');
  const other = { DATABASE_URL: `file:${join(folder, 'other/parley.db')}` };
  writeFileSync(join(folder, 'notes'), 'not a database, but long enough to be looked at '.repeat(100));
  const [notes, lost] = await Promise.all([
    parley(['restore', join(folder, 'notes')], other),
    parley(['backup', join(folder, 'nowhere/copy.db')], environment),
  ]);
  expect(notes).toMatchObject({ code: 1, said: `${join(folder, 'notes')} is no SQLite database.\n` });
  expect(lost).toMatchObject({ code: 1, said: `There is no folder ${join(folder, 'nowhere')}.\n` });
  expect(existsSync(join(folder, 'other/parley.db'))).toBe(false);
  const restored = await parley(['restore', file], other);
  expect(restored.said).toContain('or set SECRET_KEY_BASE');
  expect(readFileSync(join(folder, 'other/parley.db')).equals(readFileSync(file))).toBe(true);
  const secrets = { ADMIN_TOKEN: 'a'.repeat(32), SECRET_KEY_BASE: 's'.repeat(48) };
  const postgres = await parley(['backup', "/it's.db"], { DATABASE_URL: 'postgres://a:b@h/d', ...secrets });
  expect([postgres.code, postgres.said]).toEqual([
    1,
    expect.stringContaining(String.raw`--file='/it'\''s.db'`),
  ]);
});

test('a backup that cannot be written is named, and not the database', async () => {
  const environment = { DATABASE_URL: `file:${testFolder()}/parley.db` };
  expect(await parley(['migrate'], environment)).toMatchObject({ code: 0 });
  const file = join(testFolder(), `${'long'.repeat(62)}.db`);
  const { code, said } = await parley(['backup', file], environment);
  expect(said).toMatch(/^\/\S+\.db cannot be written: ENAMETOOLONG\b.*\n$/);
  expect(code).toBe(1);
});

test('a copy that cannot be written to its end is not said to be the database, or its disk', async () => {
  const environment = { DATABASE_URL: `file:${testFolder()}/parley.db` };
  expect(await parley(['migrate'], environment)).toMatchObject({ code: 0 });
  const file = join(testFolder(), 'copy.db');
  // As a quota does, or a disk that fails.
  const { code, said } = await run(
    'prlimit',
    ['--fsize=65536', process.execPath, ...words(['backup', file])],
    environment,
  );
  expect(said).toMatch(/^\/\S+copy\.db cannot be written: .*\n$/);
  expect([code, existsSync(file)]).toEqual([1, false]);
});

test('a database that was copied with a log beside it is not restored without what is in the log', async () => {
  const folder = testFolder();
  const copy = join(folder, 'copy.db');
  expect(await parley(['migrate'], { DATABASE_URL: `file:${copy}` })).toMatchObject({ code: 0 });
  const writer = new DatabaseSync(copy);
  onTestFinished(() => writer.close());
  writer.exec('INSERT INTO pulse (key, beats) VALUES (1, 1)');
  const database = join(folder, 'new/parley.db');
  const latest = join(folder, 'latest.db');
  symlinkSync('copy.db', latest);
  for (const file of [copy, latest]) {
    const { code, said } = await parley(['restore', file], { DATABASE_URL: `file:${database}` });
    expect(said).toContain(`${copy}-wal`);
    expect([code, existsSync(database)]).toEqual([1, false]);
  }
});

test('the doctor says that a PostgreSQL does not answer which goes away while it is asked', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.once('data', () => socket.resetAndDestroy());
      // It lets everybody in, and is ready.
      socket.write(Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1'));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { said } = await parley(['doctor'], {
    DATABASE_URL: `postgres://a:b@127.0.0.1:${port}/none`,
    ADMIN_TOKEN: 'a'.repeat(32),
    SECRET_KEY_BASE: 's'.repeat(48),
  });
  expect(said).toMatch(/WRONG {2}PostgreSQL does not answer: .*\n.*\n.* to mend\./s);
});

test('the doctor says of what is wrong which line mends it', async () => {
  const { code, said } = await parley(['doctor'], {
    HOST: '0.0.0.0',
    PORT: '1',
    PUBLIC_URL: 'https://127.0.0.1:9',
    DATABASE_URL: `file:${testFolder()}/parley.db`,
  });
  expect(said).toMatch(/GB free\./);
  expect(said).toMatch(/Https ends at a proxy.*\n\s+TRUST_PROXY=1\n/);
  expect(said).toMatch(/127\.0\.0\.1:9 does not answer: .*\n\s+curl -v/);
  expect(said).toContain('No service runs at http://127.0.0.1:1.');
  expect(code).toBe(1);
});
