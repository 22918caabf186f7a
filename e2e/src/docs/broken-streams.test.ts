import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { ensureProgram } from '../ensure-program.ts';
import { readExamples } from './read-examples.ts';

const examples = readExamples();

beforeAll(() => ensureProgram('python3'));

/** A service whose replies all begin so, and then break off, or end. */
async function serve(beginning: string, ends: boolean): Promise<string> {
  const server = createServer((_, response) => {
    if (ends) response.end(beginning);
    else response.write(beginning, () => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs a program of a page, and says with what it ends. */
async function run(page: string, title: string, service: string) {
  const { code = '' } = examples.get(page)?.find((example) => example.title === title) ?? {};
  const program = code.replaceAll('{{service}}', service);
  const [command, ...args] =
    page === 'python' ? ['python3', '-c'] : [process.execPath, '--input-type=module', '--eval'];
  const child = spawn(command!, [...args, program], {
    env: { PATH: process.env['PATH'], PARLEY_KEY: 'sk_live_test' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  child.stdout.on('data', (data) => (said += String(data)));
  const [status] = (await once(child, 'close')) as [number];
  return { status, said: said.trim() };
}

const delta = 'data: {"type":"text-delta","id":"t","delta":"Half an ans"}\n\n';

test.for([
  ['node', 'stream.mjs', 'Half an ans'],
  ['python', 'stream.py', 'Half an ans'],
  ['python', 'events.py', delta],
] as const)('%s: %s does not end well where the reply breaks off', async ([page, title, beginning]) => {
  const { status, said } = await run(page, title, await serve(beginning, false));
  expect(said).toContain('Half an ans');
  expect(status).not.toBe(0);
});

test('python: events.py ends well with the reply, and not with one that failed', async () => {
  const done = 'data: [DONE]\n\n';
  const failed = 'data: {"type":"error","errorText":"The answer took too long."}\n\n';
  const whole = await run('python', 'events.py', await serve(delta + done, true));
  expect(whole).toEqual({ status: 0, said: 'Half an ans' });
  const { status } = await run('python', 'events.py', await serve(delta + failed + done, true));
  expect(status).not.toBe(0);
});
