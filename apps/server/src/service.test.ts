import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { request, testFolder, testService } from './testing/test-service.ts';

interface Ready {
  readonly url: string;
  readonly adminToken: string;
}

function start(folder: string, env: Record<string, string> = {}): ChildProcess {
  const { NODE_ENV: _, ...inherited } = process.env;
  const process_ = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { ...inherited, DATABASE_URL: `file:${join(folder, 'test.db')}`, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  onTestFinished(() => void process_.kill('SIGKILL'));
  return process_;
}

async function ready(process_: ChildProcess): Promise<Ready> {
  const [message] = await once(process_, 'message');
  return message as Ready;
}

async function exited(process_: ChildProcess): Promise<{ code: number | null; errors: string }> {
  let errors = '';
  process_.stderr?.on('data', (chunk) => (errors += String(chunk)));
  const [code] = await once(process_, 'close');
  return { code, errors };
}

test('the first start says where the admin token is, and leaves it out of what is kept as its log', async () => {
  const folder = testFolder();
  const file = join(folder, 'test.db');
  const first = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { PATH: process.env['PATH'], DATABASE_URL: `file:${file}`, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void first.kill('SIGKILL'));
  let said = '';
  first.stdout.on('data', (chunk) => (said += String(chunk)));
  await expect.poll(() => said).toContain('Open this once');
  expect(said).toContain(`${file}.admin-token`);
  expect(said).not.toContain(readFileSync(`${file}.admin-token`, 'utf8').trim());
});

test('the process keeps what it made for itself, readable by its owner only, and stops in order', async () => {
  const folder = testFolder();
  const first = start(folder);
  const { url, adminToken } = await ready(first);
  const headers = { authorization: `Bearer ${adminToken}` };
  expect((await request(`${url}/api/v1/settings/tenants`, { headers })).status).toBe(200);
  expect((await request(`${url}/readyz`)).body).toEqual({ ok: true, status: 'ready' });
  for (const file of ['test.db.admin-token', 'test.db.secret-key-base'])
    expect(statSync(join(folder, file)).mode & 0o777, file).toBe(0o600);
  expect(readFileSync(join(folder, 'test.db.admin-token'), 'utf8').trim()).toBe(adminToken);
  first.kill('SIGTERM');
  expect(await exited(first)).toEqual({ code: 0, errors: '' });

  const secretFile = join(folder, 'test.db.secret-key-base');
  renameSync(secretFile, `${secretFile}.elsewhere`);
  const without = await exited(start(folder));
  expect([without.code, existsSync(secretFile)]).toEqual([78, false]);
  expect(without.errors).toContain(`${secretFile} is not there`);
  renameSync(`${secretFile}.elsewhere`, secretFile);

  const second = start(folder);
  expect((await ready(second)).adminToken).toBe(adminToken);
});

test('a wrong configuration is one message, and no start', async () => {
  const { code, errors } = await exited(start(testFolder(), { PORT: 'x', TRUST_PROXY: 'y' }));
  expect(code).toBe(78);
  expect(errors).toContain('PORT');
  expect(errors).toContain('TRUST_PROXY');
  expect(errors).not.toContain('    at ');
});

test('a database that was written under another secret is one message, and no start', async () => {
  const folder = testFolder();
  const before = { SECRET_KEY_BASE: 'b'.repeat(32) };
  const after = { SECRET_KEY_BASE: `${'a'.repeat(32)},${'b'.repeat(32)}` };
  const last = { SECRET_KEY_BASE: 'a'.repeat(32) };
  for (const env of [before, after, last]) {
    const running = start(folder, env);
    await ready(running);
    running.kill('SIGTERM');
    expect((await exited(running)).code).toBe(0);
  }
  for (const env of [before, {}]) {
    const { code, errors } = await exited(start(folder, env));
    expect(code).toBe(78);
    expect(errors).toContain('SECRET_KEY_BASE');
    expect(errors).not.toContain('    at ');
  }
});

test('an address that is taken is one message, and no start', async () => {
  const service = await testService();
  const { port } = new URL(service.url);
  const { code, errors } = await exited(start(testFolder(), { PORT: port }));
  expect(code).toBe(1);
  expect(errors).toContain('EADDRINUSE');
  expect(errors).not.toContain('    at ');
});

test('an internal error tells the caller nothing, also without NODE_ENV, and the log everything', async () => {
  const folder = testFolder();
  const sealing = 'a'.repeat(40);
  const first = start(folder, { SECRET_KEY_BASE: sealing, ADMIN_TOKEN: 'the-admin-token-of-this-one-test' });
  const headers = {
    authorization: 'Bearer the-admin-token-of-this-one-test',
    'content-type': 'application/json',
  };
  const post = async (url: string, path: string, body: unknown) =>
    (await request(`${url}/api/v1/settings${path}`, { method: 'POST', headers, body: JSON.stringify(body) }))
      .body;
  const { url } = await ready(first);
  const tenant = await post(url, '/tenants', { name: 'Tenant' });
  const model = { provider: 'openai', model: 'gpt', apiKey: 'canary-credential' };
  const agent = await post(url, '/agents', { tenantId: tenant.id, name: 'Agent', model });
  const bound = { tenantId: tenant.id, agentId: agent.id };
  const key = await post(url, '/keys', { ...bound, kind: 'publishable', allowedOrigins: ['*'] });
  first.kill('SIGTERM');
  await exited(first);

  const connection = new DatabaseSync(join(folder, 'test.db'));
  connection.prepare(`UPDATE agents SET config = '{}' WHERE id = ?`).run(agent.id);
  connection.close();
  const second = start(folder, { SECRET_KEY_BASE: sealing });
  let log = '';
  second.stdout?.on('data', (chunk) => (log += String(chunk)));
  const again = await ready(second);
  const failed = await request(`${again.url}/v1/config?key=${key.key}`);
  expect(failed.status).toBe(500);
  const requestId = failed.headers.get('x-request-id');
  expect(failed.body).toEqual({ ok: false, code: 'INTERNAL', error: 'Something went wrong.', requestId });
  second.kill('SIGTERM');
  await exited(second);
  expect(log).toContain(agent.id);
  expect(log).toContain(String(requestId));
});

test('once told to stop, what was begun is finished and the rest is refused', async () => {
  const service = await testService();
  const body = JSON.stringify({ name: 'Begun before' });
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  let received = '';
  const until = async (text: string): Promise<void> => {
    while (!received.includes(text)) received += String((await once(socket, 'data'))[0]);
  };
  socket.write(
    `POST /api/v1/settings/tenants HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${service.adminToken}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
  );
  await until('100 Continue');
  const stopped = service.stop();
  socket.write(`${body}GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n`);
  await until('The service is stopping.');
  expect(received).toContain('HTTP/1.1 201 ');
  expect(received).toContain('"code":"UNAVAILABLE"');
  expect(received).toMatch(/retry-after: \d/i);
  await stopped;
  await expect(request(`${service.url}/healthz`)).rejects.toThrow();
});
