import { beforeAll, expect, test } from 'vitest';
import { request } from '../../testing/test-service.ts';
import { type SharedService, type Visitor, dataOf, sharedService } from '../../testing/visitor.ts';

const echo = [{ steps: [{ say: 'ok' }] }];

let service: SharedService;
let visitor: Visitor;
beforeAll(async () => {
  service = await sharedService();
  visitor = (await service.agent(echo)).visitor;
});

const file = (mediaType: string, more: object = {}) => ({ type: 'file', mediaType, data: 'aGk=', ...more });
const bytes = (size: number) => Buffer.alloc(size).toString('base64');

/** The status of a message with one file of this type, to an agent of these types. */
async function statuses(types: string[], mediaTypes: string[]): Promise<Record<string, number>> {
  const agent = await service.agent(echo, { agent: { files: { types } } });
  const answered = mediaTypes.map(async (mediaType) => {
    const { status } = await agent.visitor.post('', { message: [file(mediaType)] });
    return [mediaType, status];
  });
  return Object.fromEntries(await Promise.all(answered));
}

test('what an agent takes when nobody has said what: pictures, PDF, text and JSON', async () => {
  const message = ['image/png', 'image/svg+xml', 'application/pdf', 'text/csv', 'application/json'].map(
    (mediaType) => file(mediaType),
  );
  expect((await visitor.post('', { message })).status).toBe(202);
  expect((await visitor.post('', { message: [file('application/zip')] })).status).toBe(415);
});

test('a message has at most 32 parts, so that a list of what is in the way is short', async () => {
  const files = (length: number) => ({ message: Array.from({ length }, () => file('video/mp4')) });
  expect(await visitor.post('', files(32))).toMatchObject({
    status: 415,
    body: { violations: expect.objectContaining({ length: 32 }) },
  });
  const { status, body } = await visitor.post('', files(33));
  expect([status, body.error]).toEqual([400, 'A message has at most 32 parts.']);
});

test('a type that the agent does not take is 415, with every file that is in the way', async () => {
  const session = await visitor.start('hi');
  const message = [
    { type: 'text', text: 'canary' },
    file('application/zip', { filename: 'all.zip' }),
    file('text/plain'),
    file('video/mp4'),
  ];
  const allowedMediaTypes = ['image/*', 'application/pdf', 'text/*', 'application/json'];
  const kind = 'disallowed-media-type';
  const rejected = {
    status: 415,
    body: {
      ok: false,
      code: 'UNSUPPORTED_MEDIA_TYPE',
      error:
        'This agent takes no application/zip files, only image/*, application/pdf, text/*, application/json.',
      requestId: expect.any(String),
      violations: [
        { kind, mediaType: 'application/zip', filename: 'all.zip', allowedMediaTypes },
        { kind, mediaType: 'video/mp4', allowedMediaTypes },
      ],
    },
  };
  expect(await visitor.post('', { message })).toMatchObject(rejected);
  expect(await session.send({ message })).toMatchObject(rejected);
  await session.send({ message: 'after' });
  const received = dataOf(await session.log(2), 'message.received');
  expect(received.map((data) => data.message)).toEqual(['hi', 'after']);
});

test('case and parameters do not count, and a wildcard ends at the slash', async () => {
  expect(
    await statuses(
      ['Text/*', 'image/PNG'],
      ['text/plain', 'TEXT/Plain; charset=utf-8', 'image/png ;a=b', 'image/jpeg', 'textile/plain', 'text'],
    ),
  ).toEqual({
    'text/plain': 202,
    'TEXT/Plain; charset=utf-8': 202,
    'image/png ;a=b': 202,
    'image/jpeg': 415,
    'textile/plain': 415,
    text: 400,
  });
});

test('an agent may take no files at all', async () => {
  const agent = await service.agent(echo, { agent: { files: { types: [] } } });
  const answer = await agent.visitor.post('', { message: [file('text/plain')] });
  expect(answer).toMatchObject({ status: 415, body: { error: 'This agent takes no files.' } });
  expect((await agent.visitor.post('', { message: 'words' })).status).toBe(202);
});

test('a file at an address is judged by the type it is said to have', async () => {
  const at = (mediaType: string) => [file(mediaType, { data: 'https://files.example/a.png' })];
  expect((await visitor.post('', { message: at('image/png') })).status).toBe(202);
  expect((await visitor.post('', { message: at('application/zip') })).status).toBe(415);
});

test('the files of a message together have the bytes the agent allows', async () => {
  const agent = await service.agent(echo, { agent: { files: { totalBytes: 1_000 } } });
  const session = await agent.visitor.start([
    file('text/plain', { data: bytes(600) }),
    file('text/plain', { data: bytes(400) }),
  ]);
  const answer = await session.send({
    message: [
      file('text/plain', { data: bytes(600) }),
      file('image/png', { filename: 'big.png', data: bytes(401) }),
      file('text/plain', { data: bytes(400) }),
      file('application/zip'),
    ],
  });
  expect(answer).toMatchObject({
    status: 413,
    body: {
      ok: false,
      code: 'TOO_LARGE',
      error: 'The files of a message may have 1000 bytes together.',
      violations: [
        { kind: 'too-large', mediaType: 'image/png', filename: 'big.png', byteLength: 401, limit: 1_000 },
        { kind: 'disallowed-media-type', mediaType: 'application/zip' },
      ],
    },
  });
});

test('the Chat interface takes the same files', async () => {
  const agent = await service.agent(echo);
  const send = (mediaType: string) =>
    request(`${service.url}/api/v1/agent/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${agent.secret.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        id: 'c',
        message: {
          role: 'user',
          parts: [
            { type: 'text', text: 'Look' },
            { type: 'file', mediaType, url: `data:${mediaType};base64,aGk=` },
          ],
        },
      }),
    });
  expect((await send('image/png')).status).toBe(200);
  expect(await send('video/mp4')).toMatchObject({
    status: 415,
    body: {
      code: 'UNSUPPORTED_MEDIA_TYPE',
      violations: [{ kind: 'disallowed-media-type', mediaType: 'video/mp4' }],
    },
  });
});
