import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from './testing/free-port.ts';
import { request, testFolder } from './testing/test-service.ts';

const program = `
  import { createLogger } from ${JSON.stringify(join(import.meta.dirname, 'logger.ts'))};
  const logger = createLogger('info');
  process.on('message', (said) => {
    for (const text of said) logger.info(text);
    process.send('logged');
  });
  process.on('SIGTERM', () => process.exit(0));
  process.send('ready');`;

const limit = 8_192;
const long = (name: string) => `${name} ${'x'.repeat(3_000)}`;

/** Lets the process's files grow to this many bytes, as a disk does that has no more room. */
function limitFiles(pid: number, bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
}

test('a log whose disk is full ends no process, and goes on where it was once there is room', async () => {
  const file = join(testFolder(), 'parley.log');
  const output = openSync(file, 'a');
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', output, 'inherit', 'ipc'],
  });
  closeSync(output);
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const log = async (...texts: string[]) => {
    const logged = once(child, 'message');
    child.send(texts);
    await logged;
  };
  await once(child, 'message');

  limitFiles(child.pid!, limit);
  const before = ['1', '2', '3', '4'].map(long);
  await log(...before);
  await expect.poll(() => statSync(file).size).toBe(limit);
  await log('5');
  limitFiles(child.pid!, 'unlimited');
  await expect
    .poll(() => readFileSync(file, 'utf8').trimEnd().split('\n').length, { timeout: 5_000 })
    .toBe(5);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([...before, '5']);

  limitFiles(child.pid!, statSync(file).size);
  await log(...before);
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

test('what is logged as the process ends is written in its order, however long it is', async () => {
  // What is written by the one thread there is would wait for this.
  const ending = `
    import { pbkdf2 } from 'node:crypto';
    import { createLogger } from ${JSON.stringify(join(import.meta.dirname, 'logger.ts'))};
    const logger = createLogger('info');
    pbkdf2('a', 'b', 500_000, 64, 'sha512', () => {});
    setImmediate(() => {
      for (const text of [${JSON.stringify(long('1'))}, ${JSON.stringify(long('2'))}, '3', '4']) logger.info(text);
      process.exit(0);
    });`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', ending], {
    encoding: 'utf8',
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
  });
  const lines = stdout.trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg.split(' ')[0])).toEqual([
    '1',
    '2',
    '3',
    '4',
  ]);
});

test('a service whose output goes to a full disk starts, answers and stops', async () => {
  const port = await freePort();
  const output = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    cwd: testFolder(),
    env: { PATH: process.env['PATH'], PORT: String(port) },
    stdio: ['ignore', output, 'inherit'],
  });
  closeSync(output);
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const answered = async () => {
    const answer = await request(`http://127.0.0.1:${port}/healthz`).catch(() => null);
    return answer?.status ?? child.exitCode;
  };
  await expect.poll(answered, { timeout: 100_000 }).toBe(200);
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});
