import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { checkHistory } from '../log-checker.ts';
import type { Operation } from '../log-checker/history.ts';
import { createAgent } from '../server.ts';
import { createRestartableService } from './restartable-service.ts';
import { followSession, readLog } from './reader.ts';

const script = [
  { when: '^long', steps: [{ say: 'Word after word. ', repeat: 1000, delayMs: 10 }] },
  { steps: [{ say: 'You said {{input}}.' }] },
];

interface Created {
  readonly sessionId: string;
  readonly continuationToken: string;
}

const recoveryMs = 5_000;
const tries = 3;

/** Lets the process's files grow to this many bytes, as a disk does that has no more room. */
function limitFiles(pid: number, bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
}

test(
  'without room it refuses and reads on, fails what ran, and recovers by itself',
  { timeout: 240_000 },
  async () => {
    const service = await createRestartableService({});
    onTestFinished(service.close);
    const server = await service.start();
    const { url } = server;
    const agent = await createAgent(server, script);
    const operations: Operation[] = [];

    async function request(path: string, body: Record<string, unknown>): Promise<Response> {
      const started = performance.now();
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${agent.secretKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      operations.push({
        interface: path.includes('chat') ? 'chat' : 'sessions',
        apiKey: agent.secretKey,
        idempotencyKey: null,
        text: String(body['message'] ?? body['text']),
        requestId: null,
        outcome: response.ok ? 'ok' : 'refused',
        started,
        ended: performance.now(),
      });
      return response;
    }
    async function create(message: string) {
      const created = (await (await request('/parley/v1/session', { message })).json()) as Created;
      const reader = followSession(service, agent, created.sessionId);
      onTestFinished(() => reader.stop());
      return { ...created, reader, path: `/parley/v1/session/${created.sessionId}` };
    }

    async function createRunning() {
      const created = await create('long');
      await created.reader.until((events) => events.some(({ type }) => type === 'message.appended'));
      return created;
    }
    /** Makes room again. Resolves with how long it took until everything was as before. */
    async function recover({ reader }: Awaited<ReturnType<typeof create>>): Promise<number> {
      limitFiles(server.pid!, 'unlimited');
      const roomAt = performance.now();
      await reader.until((events) => events.at(-1)?.type === 'session.waiting');
      await vi.waitUntil(async () => (await fetch(`${url}/readyz`)).ok, { timeout: 60_000 });
      const again = await request(rested.path, { continuationToken, message: 'again' });
      expect(again.status).toBe(200);
      return performance.now() - roomAt;
    }

    const rested = await create('first');
    await rested.reader.until((events) => events.at(-1)?.type === 'session.waiting');
    const running = await createRunning();
    limitFiles(server.pid!, 4096);

    const { continuationToken } = rested;
    const refusals = [
      await request('/parley/v1/session', { message: 'refused' }),
      await request(rested.path, { continuationToken, message: 'also refused' }),
      await request('/api/v1/agent/chat', { id: 'conversation', text: 'refused by Chat' }),
      await fetch(`${url}/readyz`),
    ];
    for (const refusal of refusals) {
      expect(refusal.status).toBe(503);
      expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refusal.json()).toEqual({
        ok: false,
        code: 'UNAVAILABLE',
        error: expect.any(String),
        requestId: expect.any(String),
        retryAfter: expect.any(Number),
      });
    }
    await expect(server.settings('POST', '/tenants', { name: 'Refused' })).rejects.toThrow('503');
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(await server.settings('GET', `/agents/${agent.agentId}`)).toMatchObject({ id: agent.agentId });
    expect(await readLog(url, agent, rested.sessionId)).toEqual(rested.reader.connections[0]?.lines);
    expect((await fetch(`${url}/readyz`)).status).toBe(503);

    const took = [await recover(running)];
    // Another try keeps out what else ran.
    while (Math.min(...took) >= recoveryMs && took.length < tries) {
      const another = await createRunning();
      limitFiles(server.pid!, 4096);
      expect((await request('/parley/v1/session', { message: 'refused' })).status).toBe(503);
      took.push(await recover(another));
    }
    expect(Math.min(...took)).toBeLessThan(recoveryMs);
    const completed = 1 + took.length;
    await rested.reader.until(
      (events) => events.filter(({ type }) => type === 'turn.completed').length === completed,
    );

    expect(running.reader.events.map(({ type }) => type).slice(-3)).toEqual([
      'step.failed',
      'turn.failed',
      'session.waiting',
    ]);
    await request(running.path, { continuationToken: running.continuationToken, message: 'after it' });
    await running.reader.until((events) => events.at(-2)?.type === 'turn.completed');

    const database = new DatabaseSync(join(service.directory, 'parley.db'), { readOnly: true });
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    const sessions = database.prepare('SELECT id FROM sessions').all();
    database.close();
    const logs = new Map<string, readonly string[]>();
    for (const { id } of sessions) logs.set(String(id), await readLog(url, agent, String(id)));
    const connections = [rested, running].flatMap(({ reader }) => reader.connections);
    const history = { operations, connections, logs, deliveries: [], tools: {}, canaries: {} };
    expect(logs.size).toBe(1 + took.length);
    expect(checkHistory(history)).toEqual([]);
  },
);
