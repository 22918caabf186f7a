import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../store/clock.ts';
import {
  type Answer,
  type TestService,
  provision,
  request,
  testService,
} from '../../testing/test-service.ts';
import { Visitor, dataOf } from '../../testing/visitor.ts';
import { as, identitySecret } from '../../testing/visitor-token.ts';

const uploadPath = '/parley/v1/session/file';
const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

type Fields = Record<string, unknown>;

/** What is counted by the minute or the day is not counted in two of them. */
function standing(): Clock {
  const now = Date.now();
  return () => now;
}

/** A service with one agent, and somebody with its publishable key. */
async function serve(agent: Fields = {}, clock?: Clock) {
  const service = await testService({}, clock ? { clock } : {});
  const owner = await provision(service);
  const patched = await service.settings('PATCH', `/agents/${owner.agentId}`, agent);
  expect(patched.status).toBe(200);
  const key = async (kind: string, of: Fields = owner): Promise<string> =>
    (await service.settings('POST', '/keys', { ...of, kind })).body.key;
  const publishable = await key('publishable');
  return { service, owner, key, publishable, visitor: new Visitor(service.url, publishable) };
}

function upload(
  { url }: TestService,
  key: string,
  body: Buffer | string = 'hi',
  headers: Record<string, string> = {},
): Promise<Answer> {
  return request(url + uploadPath, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/plain', ...headers },
    body,
  });
}

const naming = (fileId: string) => [{ type: 'file', fileId }];

/** What is in the database of files and chunks. */
async function counted({ stored }: TestService) {
  const count = async (table: string) =>
    Number((await stored.sql(`SELECT count(*) AS n FROM ${table}`))[0]?.['n']);
  return { files: await count('files'), chunks: await count('file_chunks') };
}

async function download(url: string): Promise<Buffer> {
  // oxlint-disable-next-line eslint/no-restricted-globals -- a browser loads the file
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}

test('an uploaded file is in the message that names it, with what it is and an address', async () => {
  const { service, publishable, visitor } = await serve();
  const bytes = randomBytes(mebibyte + 1);
  const before = Date.now();
  const uploaded = await upload(service, publishable, bytes, {
    'content-type': 'image/png',
    'x-parley-filename': encodeURIComponent('Ünï (1).png'),
  });
  expect(uploaded.status).toBe(201);
  const { fileId, expiresAt } = uploaded.body;
  expect(fileId).toMatch(/^file_[\w-]{32}$/);
  expect(Date.parse(expiresAt)).toBeGreaterThanOrEqual(before + 3_600_000);

  const session = await visitor.start([{ type: 'text', text: 'Look:' }, ...naming(fileId)]);
  const [received] = dataOf(await session.log(1), 'message.received');
  expect(received?.message).toBe('Look:\n[file: Ünï (1).png (image/png)]');
  const url = `${service.url}/parley/v1/file/${fileId}`;
  expect(received?.parts).toEqual([
    { type: 'text', text: 'Look:' },
    { type: 'file', mediaType: 'image/png', filename: 'Ünï (1).png', size: bytes.length, url },
  ]);
  expect(bytes.compare(await download(url))).toBe(0);
});

test('a follow-up and a Chat message name files too', async () => {
  const { service, publishable, visitor, key } = await serve();
  const session = await visitor.start('hi');
  const { fileId } = (await upload(service, publishable)).body;
  expect((await session.send({ message: naming(fileId) })).status).toBe(200);
  const received = dataOf(await session.log(2), 'message.received');
  expect(received[1]?.message).toBe('[file: text/plain (text/plain)]');

  const secret = await key('secret');
  const own = (await upload(service, secret)).body;
  const chat = await request(`${service.url}/api/v1/agent/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      id: 'c',
      message: { role: 'user', parts: [{ type: 'text', text: 'Look' }, ...naming(own.fileId)] },
    }),
  });
  expect(chat.status).toBe(200);
  expect(await download(`${service.url}/parley/v1/file/${own.fileId}`)).toEqual(Buffer.from('hi'));
});

test('the id of a file opens nothing before a message names it', async () => {
  const { service, publishable, visitor } = await serve();
  const { fileId } = (await upload(service, publishable)).body;
  const path = `/parley/v1/file/${fileId}`;
  const never = await service.call(`/parley/v1/file/file_${'A'.repeat(32)}`);
  const { requestId: _, ...rejection } = never.body;
  expect(await service.call(path)).toMatchObject({ status: 404, body: rejection });
  await visitor.start(naming(fileId));
  const head = await service.call(path, { method: 'HEAD' });
  expect(head).toMatchObject({ status: 200, body: '' });
  expect(head.headers.get('content-length')).toBe('2');
});

test('files of others, of no one, of earlier messages and over their time are the same 400', async () => {
  const { service, owner, key, publishable, visitor } = await serve({
    identity: { secret: identitySecret },
    files: { types: ['text/*'] },
  });
  const agent = await service.settings('POST', '/agents', {
    tenantId: owner.tenantId,
    name: 'Other',
    model: { provider: 'scripted', script: [] },
  });
  const sameTenant = await key('publishable', { tenantId: owner.tenantId, agentId: agent.body.id });
  const otherTenant = await key('publishable', await provision(service));
  const alice = await as(owner.agentId, 'alice');
  const idOf = async (by: string, headers = {}): Promise<string> =>
    (await upload(service, by, 'hi', headers)).body.fileId;

  const used = await idOf(publishable);
  const session = await visitor.start(naming(used));
  const over = await idOf(publishable);
  await service.stored.sql('UPDATE files SET expires_at = 1 WHERE id = ?', over);
  const cases: Record<string, string> = {
    unknown: `file_${'A'.repeat(32)}`,
    'another agent’s': await idOf(sameTenant, { 'content-type': 'image/png' }),
    'another tenant’s': await idOf(otherTenant),
    'a visitor’s': await idOf(publishable, alice),
    used,
    over,
  };
  const rejections = new Set<string>();
  for (const [name, fileId] of Object.entries(cases)) {
    for (const answer of [
      await visitor.post('', { message: naming(fileId) }),
      await session.send({ message: naming(fileId) }),
    ]) {
      expect(answer.status, name).toBe(400);
      const { requestId: __, ...body } = answer.body;
      rejections.add(JSON.stringify(body));
    }
  }
  expect([...rejections]).toEqual([expect.stringContaining('There is no such file.')]);
  const own = await visitor.post('', { message: naming(cases['a visitor’s']!) }, alice);
  expect(own.status).toBe(202);
});

test('the same message again, under its Idempotency-Key, is answered as before', async () => {
  const { service, publishable, visitor } = await serve();
  const { fileId } = (await upload(service, publishable)).body;
  const send = () =>
    visitor.post('', { message: naming(fileId) }, { 'idempotency-key': 'message-1-of-this-test' });
  const first = await send();
  const second = await send();
  expect(first.status).toBe(202);
  expect(second.body).toEqual(first.body);
});

test('a Chat message whose turn failed is repeated with its files', async () => {
  const { service, key } = await serve({
    model: { provider: 'scripted', script: [{ steps: [{ fail: 'No model.' }] }] },
  });
  const secret = await key('secret');
  const { fileId } = (await upload(service, secret)).body;
  const send = (idempotencyKey: string) =>
    request(`${service.url}/api/v1/agent/chat`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify({
        id: 'c',
        message: { role: 'user', parts: [{ type: 'text', text: 'Look' }, ...naming(fileId)] },
      }),
    });
  for (let n = 0; n < 2; n++)
    expect(await send('message-1-of-this-test')).toMatchObject({
      status: 502,
      body: { code: 'MODEL_FAILED' },
    });
  expect((await send('message-2-of-this-test')).status).toBe(400);
});

test.each([
  ['no media type', { 'content-type': 'plain' }],
  ['a media type that goes on', { 'content-type': 'text/plain; x="' }],
  ['a media type of 128 characters', { 'content-type': `text/${'x'.repeat(123)}` }],
  ['a name that is not percent-encoded UTF-8', { 'x-parley-filename': '%ff' }],
  ['half a percent-encoding', { 'x-parley-filename': '100%' }],
  ['a name of 256 characters', { 'x-parley-filename': encodeURIComponent('ü'.repeat(256)) }],
  ['a name with U+0000', { 'x-parley-filename': 'a%00b' }],
  ['a name with a line break', { 'x-parley-filename': 'a%0D%0Ab' }],
  ['a name with a C1 control', { 'x-parley-filename': 'a%C2%85b' }],
])('%s is rejected', async (_name, headers) => {
  const { service, publishable } = await serve({ files: { types: ['text/*'] } });
  expect(await upload(service, publishable, 'hi', headers)).toMatchObject({
    status: 400,
    body: { code: 'BAD_REQUEST' },
  });
  expect(await counted(service)).toEqual({ files: 0, chunks: 0 });
});

test('the longest media type and name are taken', async () => {
  const { service, publishable, visitor } = await serve({ files: { types: ['text/*'] } });
  const mediaType = `text/${'x'.repeat(122)}`;
  const filename = '😀'.repeat(255);
  const { status, body } = await upload(service, publishable, 'hi', {
    'content-type': mediaType,
    'x-parley-filename': encodeURIComponent(filename),
  });
  expect(status).toBe(201);
  const session = await visitor.start(naming(body.fileId));
  const [received] = dataOf(await session.log(1), 'message.received');
  expect(received?.parts).toMatchObject([{ mediaType, filename }]);
});

test('an empty file is rejected', async () => {
  const { service, publishable } = await serve();
  expect((await upload(service, publishable, '')).status).toBe(400);
  expect(await counted(service)).toEqual({ files: 0, chunks: 0 });
});

test('what the agent does not take is rejected at the upload, and at the message if it takes it no more', async () => {
  const { service, owner, publishable, visitor } = await serve({
    files: { types: ['text/*'], totalBytes: 300 * kibibyte },
  });
  expect(await upload(service, publishable, 'hi', { 'content-type': 'image/png' })).toMatchObject({
    status: 415,
    body: { code: 'UNSUPPORTED_MEDIA_TYPE', violations: [{ mediaType: 'image/png' }] },
  });
  const one = (await upload(service, publishable, randomBytes(200 * kibibyte))).body.fileId;
  const two = (await upload(service, publishable, randomBytes(200 * kibibyte))).body.fileId;
  expect(await visitor.post('', { message: [...naming(one), ...naming(two)] })).toMatchObject({
    status: 413,
    body: { code: 'TOO_LARGE', violations: [{ byteLength: 200 * kibibyte, limit: 300 * kibibyte }] },
  });
  await service.settings('PATCH', `/agents/${owner.agentId}`, { files: { types: ['image/*'] } });
  expect((await visitor.post('', { message: naming(one) })).status).toBe(415);
});

test('one byte over is rejected, declared or not, and nothing of it stays', async () => {
  const totalBytes = 600 * kibibyte;
  const { service, publishable } = await serve({ files: { totalBytes } });
  const rejection = {
    status: 413,
    body: { code: 'TOO_LARGE', violations: [{ kind: 'too-large', limit: totalBytes }] },
  };
  expect(await upload(service, publishable, randomBytes(totalBytes + 1))).toMatchObject(rejection);
  const undeclared = new Blob([randomBytes(totalBytes + 1)]).stream();
  const answer = await request(service.url + uploadPath, {
    method: 'POST',
    headers: { authorization: `Bearer ${publishable}`, 'content-type': 'text/plain' },
    body: undeclared,
    duplex: 'half',
  } as RequestInit);
  expect(answer).toMatchObject(rejection);
  expect(await counted(service)).toEqual({ files: 0, chunks: 0 });
  expect((await upload(service, publishable, randomBytes(totalBytes))).status).toBe(201);
});

test('a declared length over the limit is rejected before a byte is sent', async () => {
  const { service, publishable } = await serve();
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(
    `POST ${uploadPath} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${publishable}\r\n` +
      `Content-Type: text/plain\r\nContent-Length: ${10 * mebibyte + 1}\r\n\r\n`,
  );
  const [head] = (await once(socket, 'data')) as [Buffer];
  expect(head.toString()).toMatch(/^HTTP\/1.1 413 /);
  expect(await counted(service)).toEqual({ files: 0, chunks: 0 });
});

test('an upload is stored as it comes, and one that breaks off leaves nothing', async () => {
  const { service, publishable } = await serve();
  const count = () => counted(service);
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    `POST ${uploadPath} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${publishable}\r\n` +
      `Content-Type: text/plain\r\nContent-Length: ${mebibyte}\r\n\r\n`,
  );
  socket.write(randomBytes(600 * kibibyte));
  await expect.poll(count).toEqual({ files: 1, chunks: 2 });
  socket.destroy();
  await expect.poll(count).toEqual({ files: 0, chunks: 0 });
});

test('the files of a message that is rejected do not stay', async () => {
  const { service, visitor } = await serve();
  const headers = { 'idempotency-key': 'message-1-of-this-test' };
  const data = (text: string) => Buffer.from(text).toString('base64');
  const message = (text: string) => [{ type: 'file', mediaType: 'text/plain', data: data(text) }];
  expect((await visitor.post('', { message: message('a') }, headers)).status).toBe(202);
  expect((await visitor.post('', { message: message('b') }, headers)).status).toBe(409);
  expect((await visitor.post('', { message: message('a') }, headers)).status).toBe(202);
  expect(await counted(service)).toEqual({ files: 1, chunks: 1 });
});

test('uploads are limited per address, for pages and not for servers, whether in a message or not', async () => {
  const { service, publishable, visitor, key } = await serve(
    { limits: { uploadsPerAddressPerMinute: 2 } },
    standing(),
  );
  expect((await upload(service, publishable)).status).toBe(201);
  const message = [{ type: 'file', mediaType: 'text/plain', data: 'aGk=' }];
  expect((await visitor.post('', { message })).status).toBe(202);
  const third = await upload(service, publishable);
  expect(third).toMatchObject({ status: 429, body: { code: 'QUOTA_EXCEEDED' } });
  expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await visitor.post('', { message })).status).toBe(429);
  expect((await visitor.post('', { message: 'words' })).status).toBe(202);
  const secret = await key('secret');
  for (let n = 0; n < 3; n++) expect((await upload(service, secret)).status).toBe(201);
});

test.each([
  ['of one address', { storedBytesPerAddressPerDay: 300 * kibibyte }],
  ['with one key', { storedBytesPerKeyPerDay: 300 * kibibyte }],
])('bytes %s are limited, in the middle of a file', async (_name, limits) => {
  const { service, publishable } = await serve({ limits }, standing());
  const answer = await upload(service, publishable, randomBytes(mebibyte));
  expect(answer).toMatchObject({ status: 429, body: { code: 'QUOTA_EXCEEDED' } });
  expect(await counted(service)).toEqual({ files: 0, chunks: 0 });
  expect((await upload(service, publishable)).status).toBe(429);
});

test('uploads with one key are limited', async () => {
  const { service, key } = await serve({ limits: { uploadsPerKeyPerDay: 1 } }, standing());
  const secret = await key('secret');
  expect((await upload(service, secret)).status).toBe(201);
  expect((await upload(service, secret)).status).toBe(429);
});

test('the bytes of a conversation are limited', async () => {
  const { service, publishable, visitor } = await serve({ limits: { storedBytesPerSession: 3 } });
  const idOf = async (): Promise<string> => (await upload(service, publishable)).body.fileId;
  const session = await visitor.start(naming(await idOf()));
  expect(await session.send({ message: naming(await idOf()) })).toMatchObject({
    status: 429,
    body: { code: 'QUOTA_EXCEEDED' },
  });
  expect((await session.send({ message: 'words' })).status).toBe(200);
});

test('a deleted session leaves nothing of its files', async () => {
  const { service, publishable, visitor } = await serve();
  const { fileId } = (await upload(service, publishable, randomBytes(5 * mebibyte))).body;
  const session = await visitor.start(naming(fileId));
  await session.log(1);
  const gone = await request(`${visitor.base}/${session.id}`, {
    method: 'DELETE',
    headers: visitor.headers,
    body: JSON.stringify({ continuationToken: session.token }),
  });
  expect(gone.status).toBe(200);
  expect((await service.call(`/parley/v1/file/${fileId}`)).status).toBe(404);
  expect(await counted(service)).toEqual({ files: 0, chunks: 0 });
});

test('what no message has named in its time is removed, also by another process', async () => {
  const { service, publishable } = await serve();
  const { fileId } = (await upload(service, publishable, randomBytes(mebibyte))).body;
  expect(await counted(service)).toEqual({ files: 1, chunks: 5 });
  await service.stop();
  await service.stored.sql('UPDATE files SET expires_at = 1 WHERE id = ?', fileId);
  await testService({}, { stored: service.stored });
  await expect.poll(() => counted(service)).toEqual({ files: 0, chunks: 0 });
});
