import {
  cancelRequestSchema,
  createRequestSchema,
  followUpRequestSchema,
  tokenRequestSchema,
} from '@parley/protocol/session-requests';
import { expect, test } from 'vitest';
import { answer, readBody, serve } from '../testing/serve.ts';
import { createSessions } from './session.ts';

const session = { sessionId: 'wrun/1', continuationToken: 'parley:1' };

/** Sessions on a server that gives one answer, and what it was asked. */
async function record(status: number, body: unknown) {
  const asked: { line: string; body: unknown; authorization: unknown; key: unknown }[] = [];
  const connection = await serve(async (request, response) => {
    asked.push({
      line: `${request.method} ${request.url}`,
      body: await readBody(request),
      authorization: request.headers.authorization,
      key: request.headers['idempotency-key'],
    });
    answer(response, status, body);
  });
  return { sessions: createSessions(connection), connection, asked };
}

test('start posts the message and gives what writing and reading take', async () => {
  const { sessions, asked } = await record(202, { ok: true, ...session });
  expect(await sessions.start('Hello')).toEqual(session);
  expect(asked).toEqual([
    {
      line: 'POST /parley/v1/session',
      body: { message: 'Hello' },
      authorization: 'Bearer pk_live_test',
      key: expect.stringMatching(/^[0-9a-f]{32}$/),
    },
  ]);
  expect(createRequestSchema.parse(asked[0]?.body)).toMatchObject({ message: { text: 'Hello' } });
});

test('the platform of the deployment is in the paths', async () => {
  const { connection, asked } = await record(202, { ok: true, ...session });
  await createSessions({ ...connection, platform: 'eve' }).start('Hello');
  expect(asked[0]?.line).toBe('POST /eve/v1/session');
});

test('files, context and an output schema travel as the service reads them', async () => {
  const { sessions, asked } = await record(200, { ok: true, sessionId: 'wrun/1' });
  await sessions.send(session, {
    message: [
      { type: 'text', text: 'Look' },
      { type: 'file', mediaType: 'image/png', data: 'aGk=', filename: 'a.png' },
      { type: 'file', fileId: 'file_1' },
    ],
    clientContext: { page: '/pricing' },
    outputSchema: { type: 'object' },
  });
  expect(asked[0]?.line).toBe('POST /parley/v1/session/wrun%2F1');
  expect(followUpRequestSchema.parse(asked[0]?.body)).toMatchObject({
    continuationToken: 'parley:1',
    clientContext: ['{"page":"/pricing"}'],
  });
});

test('respond answers what was asked, alone or along with a message', async () => {
  const { sessions, asked } = await record(200, { ok: true, sessionId: 'wrun/1' });
  await sessions.respond(session, { inputResponses: [{ requestId: 'r1', optionId: 'approve' }] });
  await sessions.respond(session, { inputResponses: [{ requestId: 'q1', text: 'green' }], message: 'And?' });
  expect(asked.map(({ body }) => followUpRequestSchema.parse(body))).toMatchObject([
    { inputResponses: [{ requestId: 'r1', optionId: 'approve' }], message: null },
    { inputResponses: [{ requestId: 'q1', text: 'green' }], message: { text: 'And?' } },
  ]);
});

test('a given idempotency key is sent', async () => {
  const { sessions, asked } = await record(200, { ok: true, sessionId: 'wrun/1' });
  await sessions.send(session, 'Hello', { idempotencyKey: 'outbox-7' });
  expect(asked[0]?.key).toBe('outbox-7');
});

test('cancel names the session and, if wanted, the turn', async () => {
  const { sessions, asked } = await record(202, { ok: true, sessionId: 'wrun/1', status: 'accepted' });
  expect(await sessions.cancel('wrun/1')).toBe('accepted');
  await sessions.cancel('wrun/1', { turnId: 'turn_3' });
  expect(asked[0]?.line).toBe('POST /parley/v1/session/wrun%2F1/cancel');
  expect(asked.map(({ body }) => cancelRequestSchema.parse(body))).toEqual([
    { turnId: null },
    { turnId: 'turn_3' },
  ]);
});

test.for(['clear', 'compact', 'reset'] as const)('%s goes by token and gives the status', async (control) => {
  const { sessions, asked } = await record(200, { ok: true, status: 'no_active_session' });
  expect(await sessions[control](session)).toBe('no_active_session');
  expect(asked[0]?.line).toBe(`POST /parley/v1/session/${control}`);
  expect(tokenRequestSchema.parse(asked[0]?.body)).toEqual({ continuationToken: session.continuationToken });
});

test('end goes to the session with the token', async () => {
  const { sessions, asked } = await record(200, { ok: true, sessionId: 'wrun/1', status: 'completed' });
  await sessions.end(session);
  expect(asked[0]?.line).toBe('POST /parley/v1/session/wrun%2F1/end');
  expect(tokenRequestSchema.parse(asked[0]?.body)).toEqual({ continuationToken: session.continuationToken });
});

test('an answer without a token is not a session', async () => {
  const { sessions } = await record(200, { ok: true, sessionId: 'wrun/1' });
  await expect(sessions.start('Hello')).rejects.toMatchObject({ code: 'PROTOCOL' });
});
