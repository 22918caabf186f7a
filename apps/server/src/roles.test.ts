import { expect, test } from 'vitest';
import { chatPath } from './testing/chat-service.ts';
import { type TestProcess, agentOf, processStarter } from './testing/processes.ts';
import { request } from './testing/test-service.ts';
import { type VisitorSession, asked, dataOf, said, typesOf } from './testing/visitor.ts';

/** Longer than a lease lasts, and the look for those that ran out. */

const script = [
  { when: 'slow', steps: [{ say: 'word ', repeat: 2_000, delayMs: 20 }] },
  // Longer than a listener that closes waits for requests by itself.
  { when: 'patient', steps: [{ say: 'word ', repeat: 200, delayMs: 20 }] },
  { when: 'long', steps: [{ say: 'word ', repeat: 40, delayMs: 5 }] },
  {
    when: 'choose',
    steps: [
      { ask: { prompt: 'Colour?', options: [{ id: 'red', label: 'Red' }] } },
      { say: 'It is {{result}}.' },
    ],
  },
  { steps: [{ say: 'Re: {{input}}' }] },
];

/** A process that answers requests, one that runs the turns, and an agent. */
async function webAndWorker() {
  const start = await processStarter();
  const [web, worker] = await Promise.all([start(['web']), start(['worker'])]);
  return { web: web!, worker: worker!, agent: await agentOf(web!, script) };
}

async function whileSpeaking(session: VisitorSession): Promise<void> {
  const reader = await session.follow('?soFar=0');
  await reader.until(({ events }) => events.some(({ type }) => type === 'message.appended'));
  reader.close();
}

const queued = ({ store }: TestProcess, session: VisitorSession) => store.listQueue(session.id);

test('a turn that a worker runs streams through a web process, and its session goes on', async () => {
  const { web, agent } = await webAndWorker();
  const session = await web.visitor(agent.publishable.key).start('long');
  const reader = await session.follow('?soFar=0');
  await reader.boundaries(1);
  await session.send({ message: 'next' });
  expect(said(await reader.boundaries(2))).toEqual(['word '.repeat(40), 'Re: next']);
  reader.close();
});

test('a request for input that a worker makes is answered through a web process', async () => {
  const { web, agent } = await webAndWorker();
  const session = await web.visitor(agent.publishable.key).start('choose');
  const [question] = asked(await session.log(1));
  await session.send({ inputResponses: [{ requestId: question!.requestId, optionId: 'red' }] });
  expect(said(await session.log(2)).at(-1)).toContain('It is');
});

test('a cancel and an end that a web process takes reach the worker', async () => {
  const { web, agent } = await webAndWorker();
  const session = await web.visitor(agent.publishable.key).start('slow');
  await whileSpeaking(session);
  expect(await session.cancel()).toMatchObject({ status: 202, body: { status: 'accepted' } });
  expect(typesOf(await session.log(1)).slice(-2)).toEqual(['turn.cancelled', 'session.waiting']);
  await session.send({ message: 'slow' });
  const reader = await session.follow('?soFar=0');
  await reader.until(({ events }) => dataOf(events, 'turn.started').length === 2);
  expect(await session.control(`${session.id}/end`)).toMatchObject({ status: 200 });
  expect((await reader.rest()).at(-1)?.type).toBe('session.completed');
});

test('a web process alone accepts, and the worker that comes later runs it', async () => {
  const start = await processStarter();
  const web = await start(['web']);
  const { publishable } = await agentOf(web, script);
  const [answered, cancelled, ended] = await Promise.all(
    ['first', 'slow', 'slow'].map((message) => web.visitor(publishable.key).start(message)),
  );
  await answered!.send({ message: 'second' });
  expect(await cancelled!.cancel()).toMatchObject({ status: 202, body: { status: 'accepted' } });
  expect(await ended!.control(`${ended!.id}/end`)).toMatchObject({ status: 200 });
  expect(await queued(web, answered!)).toHaveLength(2);

  await start(['worker']);
  expect(said(await answered!.log(2))).toEqual(['Re: first', 'Re: second']);
  expect(typesOf(await cancelled!.log(1)).slice(-2)).toEqual(['turn.cancelled', 'session.waiting']);
  expect(typesOf(await ended!.log(1))).toEqual(['session.completed']);
});

test('a worker that was not told finds what a web process accepted', async () => {
  const { web, worker, agent } = await webAndWorker();
  worker.busNetwork.cut();
  await expect.poll(() => worker.bus.connected).toBe(false);
  const session = await web.visitor(agent.publishable.key).start('unheard');
  expect(said(await session.log(1))).toEqual(['Re: unheard']);
});

test('a worker serves health and nothing else', async () => {
  const { worker, agent } = await webAndWorker();
  for (const path of ['/healthz', '/readyz'])
    expect(await request(worker.url + path)).toMatchObject({ status: 200, body: { ok: true } });
  expect((await worker.visitor(agent.publishable.key).post('', { message: 'hello' })).status).toBe(404);
  expect((await worker.settings('GET', '/tenants')).status).toBe(404);
});

test('a web process that stops lets the Chat replies it is asked for end', async () => {
  const { web, agent } = await webAndWorker();
  // oxlint-disable-next-line eslint/no-restricted-globals -- a test calls the service from outside
  const response = await fetch(web.url + chatPath, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${agent.secret.key}`,
      'content-type': 'application/json',
      accept: 'text/plain',
    },
    body: JSON.stringify({ id: 'c', text: 'patient' }),
  });
  const stopped = web.stop();
  expect(await response.text()).toBe('word '.repeat(200));
  await stopped;
});
