import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { createLogger } from '../../logger.ts';
import type { RunningService } from '../../running-service.ts';
import { startService } from '../../service.ts';
import { request, testFolder } from '../../testing/test-service.ts';
import { dataOf, linesOf, Visitor, VisitorSession } from '../../testing/visitor.ts';

const elsewhere = `https://pictures.example/parley/v1/file/file_${'x'.repeat(32)}`;

/** A service on this folder that browsers reach under this address. */
async function serve(folder: string, publicUrl: string): Promise<RunningService> {
  const config = readConfig({
    DATABASE_URL: `file:${join(folder, 'test.db')}`,
    PORT: '0',
    PUBLIC_URL: publicUrl,
  });
  const service = await startService(config, createLogger('silent'));
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= service.stop());
  onTestFinished(stop);
  return { ...service, stop };
}

async function agentKey({ url, adminToken }: RunningService): Promise<string> {
  const created = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${adminToken.value}`, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await request(`${url}/api/v1/settings${path}`, init)).body;
  };
  const { id: tenantId } = await created('/tenants', { name: 'Tenant' });
  const model = { provider: 'scripted', script: [{ steps: [{ say: 'ok' }] }] };
  const { id: agentId } = await created('/agents', { tenantId, name: 'Ada', model });
  return (await created('/keys', { tenantId, agentId, kind: 'publishable' })).key;
}

const received = `SELECT data FROM events WHERE type = 'message.received'`;

function logged(folder: string): string {
  const database = new DatabaseSync(join(folder, 'test.db'), { readOnly: true });
  const row = database.prepare(received).get();
  database.close();
  return String(row?.['data']);
}

/** The parts of the first message, as the stream and every transcript show them. */
async function shownParts(session: VisitorSession): Promise<unknown> {
  const [streamed] = dataOf(await session.log(1), 'message.received');
  const transcript = async (format: string) =>
    (await request(`${session.visitor.base}/${session.id}/transcript?format=${format}`, session.visitor))
      .body;
  const ofType = (events: { type: string; data?: { parts: unknown } }[]) =>
    events.find(({ type }) => type === 'message.received')?.data?.parts;
  expect(ofType((await transcript('json')).events)).toEqual(streamed?.parts);
  const lines = linesOf(await transcript('ndjson'));
  expect(ofType(lines.map((line) => JSON.parse(line)))).toEqual(streamed?.parts);
  return streamed?.parts;
}

test('the log names a file by its id, and every reader is given the address under which it is served', async () => {
  const folder = testFolder();
  const first = await serve(folder, 'https://first.example');
  const key = await agentKey(first);
  const visitor = new Visitor(first.url, key);
  const upload = await request(`${first.url}/parley/v1/session/file`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/plain' },
    body: 'notes',
  });
  const { fileId } = upload.body;
  const session = await visitor.start([
    { type: 'file', fileId },
    { type: 'file', mediaType: 'image/png', filename: 'dot.png', data: 'aGk=' },
    { type: 'file', mediaType: 'image/png', data: elsewhere },
  ]);
  const parts = (publicUrl: string, pictureId: string) => [
    { type: 'file', mediaType: 'text/plain', size: 5, url: `${publicUrl}/parley/v1/file/${fileId}` },
    {
      type: 'file',
      mediaType: 'image/png',
      filename: 'dot.png',
      size: 2,
      url: `${publicUrl}/parley/v1/file/${pictureId}`,
    },
    { type: 'file', mediaType: 'image/png', url: elsewhere },
  ];
  const firstParts = await shownParts(session);
  const row = logged(folder);
  expect(row).not.toContain('first.example');
  const [notes, picture] = JSON.parse(row).parts;
  expect(notes).toEqual({ type: 'file', mediaType: 'text/plain', size: 5, fileId });
  expect(firstParts).toEqual(parts('https://first.example', picture.fileId));
  await first.stop();

  const second = await serve(folder, 'https://second.example');
  const again = new VisitorSession(new Visitor(second.url, key), session.id, session.token);
  expect(await shownParts(again)).toEqual(parts('https://second.example', picture.fileId));
  await second.stop();

  // As an earlier version wrote it, under another name of the platform, too.
  const database = new DatabaseSync(join(folder, 'test.db'));
  const data = JSON.stringify({ ...JSON.parse(row), parts: parts('https://first.example', picture.fileId) });
  database
    .prepare(`UPDATE events SET data = ? WHERE type = 'message.received'`)
    .run(data.replaceAll('first.example/parley/', 'first.example/before/'));
  database.close();
  const third = await serve(folder, 'https://third.example');
  const old = new VisitorSession(new Visitor(third.url, key), session.id, session.token);
  expect(await shownParts(old)).toEqual(parts('https://third.example', picture.fileId));
});
