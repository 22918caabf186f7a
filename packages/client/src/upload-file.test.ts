import type { IncomingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';
import { answer, serve } from '../testing/serve.ts';
import { uploadFile } from './upload-file.ts';

const content = new Blob(['hello']);
const expiresAt = '2026-01-01T00:00:00.000Z';

/** A server that stores files, or does not, and what it was sent. */
async function record(status = 201, body: unknown = { fileId: 'file_1', expiresAt }, failures = 0) {
  const sent: { line: string; bytes: string; headers: IncomingHttpHeaders }[] = [];
  const connection = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks).toString();
    sent.push({ line: `${request.method} ${request.url}`, bytes, headers: request.headers });
    if (sent.length <= failures) response.destroy();
    else answer(response, status, body);
  });
  return { connection, sent };
}

test('the bytes go as they are, with what they are and their name', async () => {
  const { connection, sent } = await record();
  const file = { content, mediaType: 'text/plain', filename: 'ünï (1).txt' };
  expect(await uploadFile(connection, file)).toBe('file_1');
  expect(sent).toMatchObject([
    {
      line: 'POST /parley/v1/session/file',
      bytes: 'hello',
      headers: {
        'content-type': 'text/plain',
        authorization: 'Bearer pk_live_test',
        'x-parley-filename': '%C3%BCn%C3%AF%20(1).txt',
      },
    },
  ]);
});

test('a file without a name, on another platform', async () => {
  const { connection, sent } = await record();
  await uploadFile({ ...connection, platform: 'eve' }, { content, mediaType: 'image/png' });
  expect(sent[0]?.line).toBe('POST /eve/v1/session/file');
  expect(sent[0]?.headers).not.toHaveProperty('x-eve-filename');
});

test('an upload that the network broke off is repeated whole', async () => {
  const { connection, sent } = await record(201, { fileId: 'file_1', expiresAt }, 1);
  expect(await uploadFile(connection, { content, mediaType: 'text/plain' })).toBe('file_1');
  expect(sent.map(({ bytes }) => bytes)).toEqual(['hello', 'hello']);
});

test('a refusal is not repeated, and an upload can be aborted', async () => {
  const { connection, sent } = await record(413, { ok: false, code: 'TOO_LARGE', error: 'Too large.' });
  const file = { content, mediaType: 'text/plain' };
  await expect(uploadFile(connection, file)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  expect(sent).toHaveLength(1);
  const signal = AbortSignal.abort();
  await expect(uploadFile(connection, file, { signal })).rejects.toMatchObject({ code: 'ABORTED' });
});

test('an answer without an id is not a file', async () => {
  const { connection } = await record(201, {});
  await expect(uploadFile(connection, { content, mediaType: 'text/plain' })).rejects.toMatchObject({
    code: 'PROTOCOL',
  });
});
