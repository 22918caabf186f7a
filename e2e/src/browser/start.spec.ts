import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { chatIn } from './chat.ts';

const program = join(import.meta.dirname, '../../../apps/demo/src/start.ts');
let folder: string;
const started: ChildProcess[] = [];

test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-start-'));
});
test.afterEach(async () => {
  for (const child of started.splice(0)) await stop(child, 'SIGTERM');
  await rm(folder, { recursive: true });
});

function start(environment: Record<string, string> = {}) {
  const child = fork(program, {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DEMO_PORT: '0',
      DATABASE_URL: `file:${join(folder, 'parley.db')}`,
      ...environment,
    },
  });
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  const ready = new Promise<{ service: string; demo: string }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { service: string; demo: string }));
    child.once('close', (code) => reject(new Error(`It ended with ${code}:\n${output}`)));
  });
  // Who does not wait for it to be ready waits for its end.
  ready.catch(() => {});
  return { child, ready, output: () => output };
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
  return child.exitCode;
}

test('start prints all one needs, stops with everything it started, and finds it again', async ({ page }) => {
  const first = start();
  const { service, demo } = await first.ready;
  await page.goto(`${demo}/`);
  await page.getByRole('link', { name: 'Saltmarsh Cabins' }).click();
  const chat = chatIn(page.frameLocator('iframe'));
  await chat.say('What should I pack?');
  await expect(chat.log).toContainText('rubber boots');
  const keys = first.output().match(/[ps]k_live_\w+/g);
  expect(first.output()).toContain(`curl ${service}/api/v1/agent/chat`);
  expect(await stop(first.child, 'SIGTERM')).toBe(0);
  await expect(fetch(`${service}/healthz`)).rejects.toThrow('fetch failed');

  const file = join(folder, 'demo.json');
  const kept = await readFile(file, 'utf8');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const second = start();
  await second.ready;
  await expect.poll(() => second.output().match(/[ps]k_live_\w+/g)).toEqual(keys);
  expect(await readFile(file, 'utf8')).toBe(kept);
  expect(await stop(second.child, 'SIGINT')).toBe(0);
});

test('a port that cannot be had is named before anything is built, and nothing is left running', async () => {
  const occupant = createServer().listen(0, '127.0.0.1');
  await once(occupant, 'listening');
  try {
    const taken = String((occupant.address() as AddressInfo).port);
    for (const [variable, another] of [
      ['PORT', 'PORT=3010'],
      ['DEMO_PORT', 'DEMO_PORT=3011'],
    ] as const)
      for (const [port, said] of [
        [taken, `Port ${taken} is in use`],
        ['abc', `${variable}=abc is no port`],
        ['65536', `${variable}=65536 is no port`],
      ] as const) {
        const { child, output } = start({ [variable]: port });
        const [code] = await once(child, 'close');
        expect(code).toBe(1);
        expect(output()).toContain(said);
        // It says no more than that: of a build there would be much.
        expect(output().trim().split('\n')).toHaveLength(1);
        expect(output()).toMatch(new RegExp(`\\b${another}$`, 'm'));
      }
  } finally {
    occupant.close();
  }
});
