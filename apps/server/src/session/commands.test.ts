import { expect, test } from 'vitest';
import { enqueueRequest, logOf } from '../store/contract/samples.ts';
import type { LeasedSession } from '../store/queue-store.ts';
import { type TestProcess, agentOf, testProcesses } from '../testing/processes.ts';
import { request } from '../testing/test-service.ts';
import { type VisitorSession, VisitorSession as Session, dataOf, said, typesOf } from '../testing/visitor.ts';
import { emptyInput } from './message-input.ts';

/** Longer than a lease lasts, and the look for those that ran out. */

const script = [
  { when: 'slow', steps: [{ say: 'word ', repeat: 2_000, delayMs: 20 }] },
  { steps: [{ say: 'Re: {{input}}' }] },
];

/** Two processes, an agent, and a session whose slow turn runs on the first. */
async function runningElsewhere(followed: readonly unknown[] = script, message = 'slow') {
  const [first, second] = await testProcesses(2);
  const { publishable } = await agentOf(first!, followed);
  const here = await first!.visitor(publishable.key).start(message);
  await saysSomething(here);
  return { first: first!, second: second!, here, there: onProcess(second!, here) };
}

/** The same session, spoken to through another process. */
function onProcess(process: TestProcess, { visitor, id, token }: VisitorSession): VisitorSession {
  const key = visitor.headers['authorization']!.replace('Bearer ', '');
  return new Session(process.visitor(key), id, token);
}

async function saysSomething(session: VisitorSession): Promise<void> {
  const reader = await session.follow('?soFar=0');
  await reader.until(({ events }) => events.some(({ type }) => type === 'message.appended'));
  reader.close();
}

test('a cancel that another process takes cancels the turn where it runs', async () => {
  const { there } = await runningElsewhere();
  expect(await there.cancel()).toMatchObject({ status: 202, body: { status: 'accepted' } });
  const log = await there.log(1);
  expect(typesOf(log).slice(-2)).toEqual(['turn.cancelled', 'session.waiting']);
  await there.send({ message: 'next' });
  expect(said(await there.log(2))).toEqual(['Re: next']);
});

test('a cancel that names no turn is executed for the turn that was open when it was taken, however late', async () => {
  const { first, there } = await runningElsewhere(
    [
      { when: 'short', steps: [{ say: 'word ', repeat: 40, delayMs: 20 }] },
      { steps: [{ say: 'word ', repeat: 2_000, delayMs: 20 }] },
    ],
    'short',
  );
  const hear = first.hold('listCommands', 'listHeldCommands');
  const write = first.hold('commit');
  expect(await there.cancel()).toMatchObject({ status: 202, body: { status: 'accepted' } });
  await there.send({ message: 'slow' });
  write();
  const log = async () => (await logOf(first.store, there.id)).map(({ event }) => event);
  const started = async () => dataOf(await log(), 'turn.started').map(({ turnId }) => turnId);
  await expect.poll(started).toEqual(['turn_0', 'turn_1']);
  hear();
  await expect.poll(() => first.store.listCommands(there.id)).toEqual([]);
  expect(typesOf(await log())).not.toContain('turn.cancelled');
  await there.cancel();
  expect(dataOf(await there.log(2), 'turn.cancelled')).toMatchObject([{ turnId: 'turn_1' }]);
});

test('a cancel of another turn changes nothing, and keeps nobody from letting go of the session', async () => {
  const { there, second } = await runningElsewhere();
  await there.cancel({ turnId: 'turn_7' });
  await expect.poll(() => second.store.listCommands(there.id)).toEqual([]);
  await there.cancel({ turnId: 'turn_0' });
  expect(dataOf(await there.log(1), 'turn.cancelled')).toMatchObject([{ turnId: 'turn_0' }]);
  await expect
    .poll(() => second.store.sendCommand(there.id, { id: 'probe', kind: 'cancel', body: { kind: 'cancel' } }))
    .toBe('free');
});

test.each([
  ['end', (session: VisitorSession) => session.control(`${session.id}/end`), { status: 'completed' }],
  ['reset', (session: VisitorSession) => session.control('reset'), { status: 'reset' }],
])('a session is %s through any process, and the answer says that it is', async (_, control, body) => {
  const { here, there } = await runningElsewhere();
  expect(await control(there)).toMatchObject({ status: 200, body });
  expect((await here.send({ message: 'more' })).status).toBe(404);
});

test('of two processes that are asked to end a session one does', async () => {
  const { here, there } = await runningElsewhere();
  const answers = await Promise.all([here, there].map((session) => session.control(`${session.id}/end`)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
});

test('a session is erased through any process', async () => {
  const { here, there, first } = await runningElsewhere();
  const { status } = await erase(there);
  expect(status).toBe(200);
  expect((await here.cancel()).body.status).toBe('no_active_turn');
  expect(await first.store.getSession(here.id)).toBeNull();
});

function erase({ visitor, id, token }: VisitorSession) {
  return request(`${visitor.base}/${id}`, {
    method: 'DELETE',
    headers: visitor.headers,
    body: JSON.stringify({ continuationToken: token }),
  });
}

test('an owner that hears nothing executes commands when it renews its leases', async () => {
  const { first, here, there } = await runningElsewhere();
  first.busNetwork.cut();
  await there.cancel();
  expect(typesOf(await there.log(1))).toContain('turn.cancelled');
  await here.send({ message: 'slow' });
  expect((await there.control(`${there.id}/end`)).body).toMatchObject({ status: 'completed' });
  expect(first.bus.connected).toBe(false);
});

test('what a frozen owner was told is executed by who takes the session over, before anything else', async () => {
  const { first, second, there } = await runningElsewhere();
  first.freeze();
  const { nextIndex } = (await second.store.getSession(there.id))!;
  await there.cancel();
  const log = await there.log(1);
  // What the owner was writing as it froze is written all the same.
  const written = typesOf(log.slice(nextIndex)).filter((type) => type !== 'message.appended');
  expect(written).toEqual(['turn.cancelled', 'session.waiting']);
  first.thaw();
  await there.send({ message: 'next' });
  const after = await there.log(2);
  expect(said(after)).toEqual(['Re: next']);
  expect(after.slice(0, log.length)).toEqual(log);
});

test('a session whose owner is frozen is ended by who takes it over', async () => {
  const { first, second, there } = await runningElsewhere();
  first.freeze();
  expect([200, 202]).toContain((await there.control(`${there.id}/end`)).status);
  await expect.poll(async () => (await second.store.getSession(there.id))?.status).toBe('completed');
  expect(typesOf(await (await there.follow('?soFar=0')).rest()).slice(-3)).toEqual([
    'turn.cancelled',
    'session.waiting',
    'session.completed',
  ]);
});

test('an end that its own process has answered as accepted outlives that process', async () => {
  const { first, second, here } = await runningElsewhere();
  first.hold('commit');
  expect(await here.control(`${here.id}/end`)).toMatchObject({ status: 202, body: { status: 'accepted' } });
  first.freeze();
  await expect.poll(async () => (await second.store.getSession(here.id))?.status).toBe('completed');
});

test('a cancel that a late owner takes for its own turn reaches the process that took over', async () => {
  const { first, second, here, there } = await runningElsewhere();
  first.freeze();
  const { nextIndex } = (await second.store.getSession(there.id))!;
  await expect
    .poll(async () => (await second.store.getSession(there.id))!.nextIndex)
    .toBeGreaterThan(nextIndex);
  const taken = here.cancel();
  first.thaw();
  expect((await taken).body.status).toBe('accepted');
  expect(typesOf(await there.log(1)).slice(-2)).toEqual(['turn.cancelled', 'session.waiting']);
});

test('an end that its holder does not carry out in time is answered as accepted', async () => {
  const [process] = await testProcesses(1);
  const { publishable } = await agentOf(process!, script);
  const session = await process!.visitor(publishable.key).start('first');
  await session.log(1);
  const message = { text: 'next', parts: [{ type: 'text' as const, text: 'next' }], fileIds: [] };
  const taken = await process!.store.enqueue({
    ...enqueueRequest({ sessionId: session.id, lease: { owner: 'busy', leaseMs: 60_000 } }),
    item: { id: 'item_next', body: { ...emptyInput, kind: 'delivery', message } },
  });
  const { lease } = (taken as { leased: LeasedSession }).leased;
  const end = session.control(`${session.id}/end`);
  expect(await end).toMatchObject({
    status: 202,
    body: { ok: true, sessionId: session.id, status: 'accepted' },
  });
  const [command] = await process!.store.listCommands(session.id);
  expect(command?.body).toMatchObject({ kind: 'end', status: 'completed' });
  // Whoever holds it may still do as it was told.
  await process!.store.commit(lease, { events: [], status: 'completed' });
  expect((await session.send({ message: 'more' })).status).toBe(404);
});
