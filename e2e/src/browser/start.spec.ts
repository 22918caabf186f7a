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

test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-start-'));
});
test.afterEach(() => rm(folder, { recursive: true }));

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
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  return { child, output: () => output };
}

async function ready(child: ChildProcess): Promise<{ service: string; demo: string }> {
  const [message] = await once(child, 'message');
  return message;
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exited = once(child, 'exit');
  child.kill(signal);
  return (await exited)[0];
}

test('start prints all one needs, stops with everything it started, and finds it again', async ({ page }) => {
  const first = start();
  const { service, demo } = await ready(first.child);
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
  await ready(second.child);
  await expect.poll(() => second.output().match(/[ps]k_live_\w+/g)).toEqual(keys);
  expect(await readFile(file, 'utf8')).toBe(kept);
  expect(await stop(second.child, 'SIGINT')).toBe(0);
});

test('a port in use is named, and nothing is left running', async () => {
  const occupant = createServer().listen(0, '127.0.0.1');
  await once(occupant, 'listening');
  const taken = String((occupant.address() as AddressInfo).port);
  for (const variable of ['PORT', 'DEMO_PORT']) {
    const { child, output } = start({ [variable]: taken });
    const [code] = await once(child, 'close');
    expect(code).toBe(1);
    expect(output()).toContain(`${taken}`);
    expect(output()).toContain(`${variable}=`);
  }
  occupant.close();
});
