import { execFile } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { checkHistory } from '../log-checker.ts';
import type { Operation } from '../log-checker/history.ts';
import { createAgent, type TestAgent } from '../server.ts';
import { readLog } from './reader.ts';
import { createRestartableService } from './restartable-service.ts';

const program = join(import.meta.dirname, '../../../apps/server/src/cli/parley.ts');
const script = [{ steps: [{ say: 'You said {{input}}, word for word.', delayMs: 5 }] }];

async function parley(directory: string, ...words: string[]): Promise<void> {
  const environment = { ...process.env, DATABASE_URL: `file:${join(directory, 'parley.db')}` };
  await promisify(execFile)(process.execPath, [program, ...words], { env: environment });
}

async function runService() {
  const service = await createRestartableService({});
  onTestFinished(service.close);
  return service;
}

/** Begins one session after the other until it is told to stop. */
async function visit(
  url: string,
  agent: TestAgent,
  operations: Operation[],
  name: string,
  stop: AbortSignal,
) {
  for (let number = 0; !stop.aborted; number++) {
    const text = `${name} ${number}`;
    const started = performance.now();
    const response = await fetch(`${url}/parley/v1/session`, {
      method: 'POST',
      headers: { authorization: `Bearer ${agent.secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: text }),
    });
    await response.text();
    operations.push({
      interface: 'sessions',
      apiKey: agent.secretKey,
      idempotencyKey: null,
      text,
      requestId: null,
      outcome: response.ok ? 'ok' : 'refused',
      started,
      ended: performance.now(),
    });
  }
}

test('a backup taken under load restores to logs with all that was acknowledged before it', async () => {
  const service = await runService();
  const server = await service.start();
  const agent = await createAgent(server, script);
  const operations: Operation[] = [];
  const stop = new AbortController();
  const visitors = ['ada', 'ben', 'cy'].map((name) =>
    visit(server.url, agent, operations, name, stop.signal),
  );
  await vi.waitUntil(() => operations.length >= 40, { timeout: 30_000 });
  const file = join(service.directory, 'copy.db');
  const began = performance.now();
  await parley(service.directory, 'backup', file);
  const done = performance.now();
  stop.abort();
  await Promise.all(visitors);
  await service.kill();

  const restored = await runService();
  await parley(restored.directory, 'restore', file);
  const secret = 'parley.db.secret-key-base';
  copyFileSync(join(service.directory, secret), join(restored.directory, secret));
  const { url } = await restored.start();
  const database = new DatabaseSync(join(restored.directory, 'parley.db'), { readOnly: true });
  const sessions = database.prepare('SELECT id FROM sessions').all();
  database.close();
  const logs = new Map<string, readonly string[]>();
  const rested = async (session: string) => {
    const log = await readLog(url, agent, session);
    logs.set(session, log);
    return log.at(-1)?.includes('session.waiting');
  };
  await Promise.all(sessions.map(({ id }) => vi.waitUntil(() => rested(String(id)), { timeout: 30_000 })));
  const seen = operations
    .filter(({ started }) => started < done)
    // What was sent while it was taken is in it or not.
    .map((operation) =>
      operation.ended < began ? operation : { ...operation, outcome: 'unknown' as const },
    );
  expect(seen.filter(({ outcome }) => outcome === 'ok').length).toBeGreaterThanOrEqual(40);
  const history = { operations: seen, connections: [], logs, deliveries: [], tools: {}, canaries: {} };
  expect(checkHistory(history)).toEqual([]);
});
