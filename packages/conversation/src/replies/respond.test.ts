import { expect, test } from 'vitest';
import { createBrowser, createService, pass, startConversation } from '../../testing/start-conversation.ts';

const turn = { sequence: 1, turnId: 'turn_1' };
const request = {
  action: { callId: 'call_1', input: {}, kind: 'tool-call', toolName: 'refund' },
  kind: 'tool-approval',
  options: [],
  prompt: 'Refund?',
  requestId: 'ask_1',
};
const asked = [
  { type: 'turn.started', data: turn },
  { type: 'input.requested', data: { ...turn, stepIndex: 0, requests: [request] } },
  { type: 'turn.completed', data: turn },
  { type: 'session.waiting', data: { wait: 'next-user-message', continuationToken: 't1' } },
];

/** A conversation in which the agent waits for an approval. */
async function startAsked(browser = createBrowser()) {
  const service = createService();
  const { conversation } = await startConversation(service, browser);
  conversation.open({ sessionId: 's1', continuationToken: 't1' });
  service.write(...asked);
  await pass();
  expect(conversation.transcript.value.requests).toHaveLength(1);
  return { conversation, service };
}

const answers = ({ posted }: ReturnType<typeof createService>) =>
  posted.map(({ body }) => (body['inputResponses'] as { optionId: string }[])[0]?.optionId);

test('an answer that a proxy or a limit holds up is given again until it gets through', async () => {
  const { conversation, service } = await startAsked();
  const { respond: accept } = service;
  service.respond = () => new Response('', { status: 504 });
  conversation.respond('ask_1', { optionId: 'approve' });
  await pass(2_000);
  expect(conversation.replies.value.get('ask_1')).toMatchObject({ kind: 'failed', error: { status: 504 } });
  service.respond = () =>
    Response.json({ ok: false, code: 'RATE_LIMITED', error: 'No.', retryAfter: 20 }, { status: 429 });
  await pass(5_000);
  const before = service.posted.length;
  service.respond = accept;
  await pass(19_000);
  expect(service.posted).toHaveLength(before);
  await pass(2_000);
  expect(service.posted).toHaveLength(before + 1);
  expect(new Set(service.posted.map(({ key }) => key)).size).toBe(1);
});

test('what became of an answer is forgotten once nothing is asked any more', async () => {
  const { conversation, service } = await startAsked();
  conversation.respond('ask_1', { optionId: 'approve' });
  await pass(1_000);
  expect(conversation.replies.value.has('ask_1')).toBe(true);
  service.write({ type: 'session.completed', data: {} });
  await pass(1_000);
  expect(conversation.transcript.value.requests).toEqual([]);
  expect(conversation.replies.value.size).toBe(0);
});

test('an answer that did not get through gives way to another one', async () => {
  const { conversation, service } = await startAsked();
  const { respond: accept } = service;
  service.respond = () => new Response('', { status: 502 });
  conversation.respond('ask_1', { optionId: 'approve' });
  await pass(2_000);
  service.respond = accept;
  service.posted.length = 0;
  conversation.respond('ask_1', { optionId: 'deny' });
  await pass(300_000);
  expect(answers(service)).toEqual(['deny']);
});

test('an answer that is refused says so and is not given again', async () => {
  const { conversation, service } = await startAsked();
  service.respond = () => Response.json({ ok: false, code: 'BAD_REQUEST', error: 'No.' }, { status: 400 });
  conversation.respond('ask_1', { optionId: 'approve' });
  await pass(300_000);
  expect(service.posted).toHaveLength(1);
  expect(conversation.replies.value.get('ask_1')).toMatchObject({ kind: 'failed' });
});

test('an answer that the network has held up is given again when it is back, one over a limit when that ends', async () => {
  const browser = createBrowser();
  const { conversation, service } = await startAsked(browser);
  const { respond: accept } = service;
  service.respond = () => Promise.reject(new TypeError('network error'));
  conversation.respond('ask_1', { optionId: 'approve' });
  await pass(2_000);
  service.posted.length = 0;
  service.respond = () =>
    Response.json({ ok: false, code: 'RATE_LIMITED', error: 'No.', retryAfter: 20 }, { status: 429 });
  browser.events.dispatchEvent(new Event('online'));
  await pass();
  expect(answers(service)).toEqual(['approve']);
  service.respond = accept;
  browser.events.dispatchEvent(new Event('online'));
  await pass(19_000);
  expect(answers(service)).toEqual(['approve']);
  await pass(3_000);
  expect(answers(service)).toEqual(['approve', 'approve']);
});
