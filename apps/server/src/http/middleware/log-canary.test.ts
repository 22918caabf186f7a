import { expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { createLogger } from '../../logger.ts';
import { startService } from '../../service.ts';
import { testStore } from '../../testing/test-store.ts';
import { StoreUnavailableError } from '../../store/store-error.ts';
import type { Store } from '../../store/store.ts';
import { type Answer, request } from '../../testing/test-service.ts';
import { identitySecret, visitorToken, visitorTokenHeader } from '../../testing/visitor-token.ts';

const image = 'data:image/png;base64,iVBORw0KGgo=';
const visitor = 'canary-visitor@shop.example';
const conversation = 'canary-conversation-of-somebody';
const repeatKey = 'canary-idempotency-key-0001';

/** Everything the service says at the most talkative level while it is driven through every route and into failures. */
async function driven() {
  const stored = await testStore();
  const store = await stored.open();
  let failing: 'twice' | 'lease-lost' | 'commit' | null = null;
  const broken: Store = {
    ...store,
    files: {
      ...store.files,
      async append(id, chunk, upload) {
        if (failing !== 'twice') return store.files.append(id, chunk, upload);
        failing = null;
        await store.files.append(id, chunk.subarray(0, 1), upload);
        return store.files.append(id, chunk, upload);
      },
    },
    async enqueue(acceptance) {
      if (failing !== 'lease-lost') return store.enqueue(acceptance);
      failing = null;
      await store.commit({ sessionId: acceptance.sessionId, epoch: -1 }, { events: [] });
      return store.enqueue(acceptance);
    },
    async commit(lease, change) {
      if (failing !== 'commit') return store.commit(lease, change);
      failing = null;
      throw new StoreUnavailableError(`The session ${lease.sessionId} could not be written`);
    },
  };
  const lines: string[] = [];
  const config = readConfig({
    ...stored.environment,
    PORT: '0',
    SECRET_KEY_BASE: 's'.repeat(48),
    ADMIN_TOKEN: 'a'.repeat(48),
    LOG_LEVEL: 'trace',
  });
  const logger = createLogger(config.logLevel, { write: (line) => void lines.push(line) });
  const running = await startService(config, logger, { store: broken });
  const call = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Answer> =>
    request(running.url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const settings = async (path: string, body: unknown) =>
    (await call('POST', `/api/v1/settings${path}`, { authorization: `Bearer ${config.adminToken}` }, body))
      .body;
  const { id: tenantId } = await settings('/tenants', { name: 'Tenant' });
  const steps = [{ say: '{{input}}' }];
  const script = [
    { when: 'fail', steps: [{ fail: 'boom' }] },
    { when: 'tool', steps: [{ call: 'broken', input: {} }] },
    { steps },
  ];
  const identity = { secret: identitySecret };
  const model = { provider: 'scripted', script };
  const { id: agentId } = await settings('/agents', { tenantId, name: 'Ada', model, identity });
  const tool = { agentId, kind: 'http', name: 'broken', description: 'x', parameters: { type: 'object' } };
  await settings('/tools', { ...tool, request: { method: 'GET', url: 'http://127.0.0.1:9/{{visitor.id}}' } });
  const { key } = await settings('/keys', { tenantId, agentId, kind: 'publishable' });

  const token = await visitorToken(agentId, { sub: visitor });
  const headers = {
    authorization: `Bearer ${key}`,
    [visitorTokenHeader]: token,
    'idempotency-key': repeatKey,
  };
  const sessions = '/parley/v1/session';
  const started = await call('POST', sessions, headers, {
    message: [
      { type: 'text', text: 'Hello' },
      { type: 'file', mediaType: 'image/png', data: image },
    ],
  });
  const { sessionId, continuationToken } = started.body;
  const at = `${sessions}/${sessionId}`;
  const { 'idempotency-key': _, ...once } = headers;
  const settled = () =>
    expect
      .poll(
        async () =>
          String((await call('GET', `${at}/transcript?format=ndjson`, headers)).body).split('session.waiting')
            .length,
      )
      .toBeGreaterThan(1);
  await settled();
  const log = String((await call('GET', `${at}/transcript?format=ndjson`, headers)).body);
  const fileId = /\/file\/([\w-]+)/.exec(log)?.[1] ?? '';
  const follow = (body: object, more = once) => call('POST', at, more, { continuationToken, ...body });
  await follow({ message: 'fail' }, headers);
  await follow({ message: 'other' }, headers);
  await follow({ message: 'tool' });
  failing = 'commit';
  await follow({ message: 'again' });
  await expect.poll(() => lines.join('')).toContain('the store cannot be written');
  await call('POST', `${at}/cancel`, headers, {});
  await call('POST', `${at}/feedback`, headers, { turnId: 'turn_0', rating: 'up' });
  await call('POST', `${at}/identify`, headers, { continuationToken });
  for (const control of ['clear', 'compact'])
    await call('POST', `${sessions}/${control}`, headers, { continuationToken });
  await call('GET', sessions, headers);
  await call('GET', `/parley/v1/file/${fileId}`, {});
  await call('GET', `/PARLEY/v1/file/${fileId}`, {});
  await call('GET', `/parley/v1/session/${sessionId}x/stream`, headers);
  await call('GET', `//parley/v1/session/${sessionId}/stream`, headers);
  await call('GET', `/parley/v1/session/${sessionId.slice(0, -1)}/stream`, headers);
  for (const secret of [continuationToken, token]) await call('GET', `/elsewhere/${secret}`, headers);
  const file = { type: 'file', mediaType: 'image/png', data: image };
  for (const how of ['twice', 'lease-lost'] as const) {
    failing = how;
    expect((await follow({ message: [file] })).status).toBe(500);
  }
  const chat = '/api/v1/agent/chat';
  await call('POST', chat, headers, { id: conversation, text: 'Hello' });
  await call('POST', chat, once, { id: conversation, text: 'fail' });
  for (const path of [`${conversation}/stream`, conversation, `a/${conversation}/stream`])
    await call('GET', `${chat}/${path}`, headers);
  await call('POST', `${at}/end`, headers, { continuationToken });
  await call('DELETE', at, headers, { continuationToken });
  await running.stop();
  return { lines, sessionId, continuationToken, fileId, token, key };
}

test('no line of the log holds an id that is a right, a token or who somebody is, yet lines of one session find each other', async () => {
  const { lines, sessionId, continuationToken, fileId, token, key } = await driven();
  const mac = String(continuationToken).split('.')[1];
  for (const canary of [
    sessionId.slice(0, -1),
    mac,
    fileId,
    token,
    key,
    visitor,
    conversation,
    repeatKey,
    identitySecret,
  ]) {
    expect(String(canary).length).toBeGreaterThan(10);
    expect(lines.filter((line) => line.includes(canary))).toEqual([]);
  }

  const [, digest = ''] =
    /"path":"\/parley\/v1\/session\/([\w-]{12})\/transcript"/.exec(lines.join('')) ?? [];
  expect(digest).not.toBe('');
  expect(lines.filter((line) => line.includes(`"sessionId":"${digest}"`))).not.toEqual([]);
  const failures = lines.filter(
    (line) => line.includes('came before') || line.includes('Somebody else runs session'),
  );
  expect(failures.some((line) => line.includes(`Somebody else runs session ${digest}`))).toBe(true);
  expect(failures.some((line) => /of file [\w-]{12} came before/.test(line))).toBe(true);
});
