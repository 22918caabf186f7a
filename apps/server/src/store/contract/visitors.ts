import { expect, test } from 'vitest';
import type { NewEvent } from '../event-store.ts';
import type { TurnFeedback } from '../feedback-store.ts';
import type { Store } from '../store.ts';
import {
  enqueueRequest,
  delta,
  opened,
  opening,
  sessionCompleted,
  start,
  type TestClock,
} from './samples.ts';

const meta = { at: '2026-01-01T00:00:00.000Z', id: 'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV' };
const received = (message: string): NewEvent => ({
  event: {
    type: 'message.received',
    data: { sequence: 0, turnId: 'turn_0', message, parts: [{ type: 'text', text: message }] },
    meta,
  },
  concealed: false,
  itemId: null,
});
const ada = { tenantId: 'tenant_1', agentId: 'agent_1', visitor: 'ada', after: null, limit: 10 };
const up: TurnFeedback = { turnId: 'turn_0', rating: 'up', comment: null, at: start };

export function testVisitors(store: () => Store, clock: TestClock): void {
  async function openedFor(sessionId: string, visitor: string | null, now = start): Promise<void> {
    clock.now = now;
    await store().enqueue(enqueueRequest({ sessionId, open: { ...opening, visitor } }));
  }

  const listed = async (query = ada) => (await store().listVisitorSessions(query)).items.map(({ id }) => id);

  test('a session belongs to the visitor it was opened for, or to nobody', async () => {
    await openedFor('session_1', 'ada');
    await openedFor('session_2', null);
    expect(await store().getSession('session_1')).toMatchObject({ visitor: 'ada' });
    expect(await store().getSession('session_2')).toMatchObject({ visitor: null });
  });

  test('a session is bound once, and stays bound', async () => {
    await opened(store());
    expect(await store().assignVisitor('session_1', 'ada')).toBe(true);
    expect(await store().assignVisitor('session_1', 'ada')).toBe(true);
    expect(await store().assignVisitor('session_1', 'eve')).toBe(false);
    expect(await store().assignVisitor('session_2', 'ada')).toBe(false);
    expect(await store().getSession('session_1')).toMatchObject({ visitor: 'ada' });
    expect(await listed()).toEqual(['session_1']);
  });

  test('nothing is accepted from anybody else once a session is a visitor’s', async () => {
    await openedFor('session_1', 'ada');
    const { open: _, ...sent } = enqueueRequest({ sessionId: 'session_1' });
    let items = 0;
    const from = async (sender: { visitor?: string | null }) => {
      const item = { id: `later_${items++}`, body: null };
      return (await store().enqueue({ ...sent, ...sender, item })).outcome;
    };
    expect(await from({ visitor: null })).toBe('missing');
    expect(await from({ visitor: 'eve' })).toBe('missing');
    expect(await store().listQueue('session_1')).toHaveLength(1);
    expect(await from({ visitor: 'ada' })).toBe('accepted');
    expect(await from({})).toBe('accepted');
  });

  test('of two visitors that a session is assigned to at once, one has it', async () => {
    await opened(store());
    const assigned = await Promise.all([
      store().assignVisitor('session_1', 'ada'),
      store().assignVisitor('session_1', 'eve'),
    ]);
    expect(assigned.filter(Boolean)).toHaveLength(1);
  });

  test('a list of sessions ends where its messages take a page, and goes on from there', async () => {
    for (let n = 0; n < 4; n++) {
      await openedFor(`session_${n}`, 'ada', start + n);
      const lease = { sessionId: `session_${n}`, epoch: 1 };
      const far = n === 0 ? Array.from({ length: 50 }, () => delta('x')) : [];
      const events = [...far, received('x'.repeat(100_000))];
      await store().commit(lease, { events });
    }
    const many = { ...ada, limit: 100 };
    const whole = await store().listVisitorSessions(many);
    expect(whole.items.map(({ firstMessage }) => firstMessage?.length)).toEqual([
      100_000,
      100_000,
      100_000,
      undefined,
    ]);
    for (let n = 4; n < 8; n++) {
      await openedFor(`session_${n}`, 'ada', start + n);
      const lease = { sessionId: `session_${n}`, epoch: 1 };
      await store().commit(lease, { events: [received('x'.repeat(110_000))] });
    }
    const first = await store().listVisitorSessions(many);
    expect(first.items).toHaveLength(4);
    const second = await store().listVisitorSessions({ ...many, after: first.next });
    expect(second).toMatchObject({ items: { length: 4 }, next: null });
  });

  test.each(['u0000', String.raw`\u0000`, String.raw`a \\u0000`])(
    'a first message that only looks like what text cannot hold is listed: %s',
    async (message) => {
      await openedFor('session_1', 'ada');
      await store().commit({ sessionId: 'session_1', epoch: 1 }, { events: [received(message)] });
      expect((await store().listVisitorSessions(ada)).items).toMatchObject([{ firstMessage: message }]);
    },
  );

  test('lists the sessions of one visitor of one agent, newest first, in pages', async () => {
    for (const [n, now] of [start + 1, start + 1, start + 2, start].entries())
      await openedFor(`session_${n}`, 'ada', now);
    await openedFor('other_visitor', 'eve');
    await openedFor('nobody', null);
    const elsewhere = { ...opening, visitor: 'ada', agentId: 'agent_2' };
    await store().enqueue(enqueueRequest({ sessionId: 'other_agent', open: elsewhere }));

    const ids: string[] = [];
    let after: string | null = null;
    do {
      const page = await store().listVisitorSessions({ ...ada, after, limit: 3 });
      ids.push(...page.items.map(({ id }) => id));
      after = page.next;
    } while (after !== null);
    expect(ids).toEqual(['session_2', 'session_1', 'session_0', 'session_3']);
    expect(await listed({ ...ada, tenantId: 'tenant_2' })).toEqual([]);
  });

  test('the list tells the state of each session and how it began', async () => {
    await openedFor('session_1', 'ada');
    const page = () => store().listVisitorSessions(ada);
    expect((await page()).items).toEqual([
      { id: 'session_1', status: 'open', createdAt: start, activeAt: start, firstMessage: null },
    ]);
    const lease = { sessionId: 'session_1', epoch: 1 };
    clock.now = start + 5;
    await store().commit(lease, {
      events: [received('Hello'), received('Later'), sessionCompleted],
      status: 'completed',
    });
    expect((await page()).items).toMatchObject([
      { status: 'completed', activeAt: start + 5, firstMessage: 'Hello' },
    ]);
    await openedFor('session_2', 'ada');
    await store().commit({ sessionId: 'session_2', epoch: 1 }, { events: [], status: 'reset' });
    expect(await listed()).toEqual(['session_1']);
  });

  test('what was thought of a turn is kept, replaced and taken back', async () => {
    await opened(store());
    const all = async () => (await store().listFeedback({ agentId: 'agent_1', after: null, limit: 9 })).items;
    expect(await store().saveFeedback('session_1', up)).toBe(true);
    expect(await store().saveFeedback('session_1', { ...up, turnId: 'turn_1' })).toBe(true);
    const down = { ...up, rating: 'down', comment: 'No.', at: start + 1 } as const;
    expect(await store().saveFeedback('session_1', down)).toBe(true);
    expect(await all()).toEqual([
      { ...down, sessionId: 'session_1' },
      { ...up, sessionId: 'session_1', turnId: 'turn_1' },
    ]);
    expect(await store().saveFeedback('session_1', { ...down, rating: null })).toBe(true);
    expect(await all()).toMatchObject([{ turnId: 'turn_1' }]);
    expect(await store().saveFeedback('session_2', up)).toBe(false);
  });

  test('questions are counted over conversations, bounded, and go with them', async () => {
    for (const id of ['session_1', 'session_2']) await opened(store(), id);
    const ask = (sessionId: string, digest: string, turn: number, at: number, keep = 9) =>
      store().saveQuestion(
        { sessionId, agentId: 'agent_1' },
        { digest, question: `Of ${digest}`, turn, at },
        keep,
      );
    const list = async (after: string | null = null, limit = 9) =>
      store().listQuestions({ agentId: 'agent_1', after, limit });
    await ask('session_1', 'milk', 0, 1);
    // A turn that is run again, and the same question once more.
    await ask('session_1', 'milk', 0, 2);
    await ask('session_1', 'milk', 1, 3);
    await ask('session_1', 'bread', 2, 4);
    await ask('session_2', 'milk', 0, 5);
    await ask('session_0', 'milk', 0, 6);
    const milk = { digest: 'milk', question: 'Of milk', sessionId: 'session_2', asked: 3, at: 5 };
    const bread = { digest: 'bread', question: 'Of bread', sessionId: 'session_1', asked: 1, at: 4 };
    const first = await list(null, 1);
    expect(first.items).toEqual([milk]);
    expect(await list(first.next, 1)).toEqual({ items: [bread], next: null });
    await store().removeSession('session_2');
    expect((await list()).items).toEqual([bread, { ...milk, sessionId: 'session_1', asked: 2, at: 3 }]);
    await store().removeQuestion('agent_1', 'bread');
    await ask('session_1', 'cheese', 3, 9, 1);
    expect((await list()).items.map(({ digest }) => digest)).toEqual(['cheese']);
    expect((await store().listQuestions({ agentId: 'agent_2', after: null, limit: 9 })).items).toEqual([]);
  });

  test('feedback is listed by agent, in pages, and goes with its session', async () => {
    await opened(store());
    await store().enqueue(
      enqueueRequest({ sessionId: 'session_2', open: { ...opening, agentId: 'agent_2' } }),
    );
    await store().saveFeedback('session_2', up);
    for (const turnId of ['turn_0', 'turn_1', 'turn_2'])
      await store().saveFeedback('session_1', { ...up, turnId });

    const turns: string[] = [];
    let after: string | null = null;
    do {
      const page = await store().listFeedback({ agentId: 'agent_1', after, limit: 2 });
      turns.push(...page.items.map(({ turnId }) => turnId));
      after = page.next;
    } while (after !== null);
    expect(turns).toEqual(['turn_0', 'turn_1', 'turn_2']);
    const ofSession = (sessionId: string, from: string | null = null) =>
      store().listSessionFeedback({ sessionId, after: from, limit: 2 });
    const first = await ofSession('session_1');
    expect(first.items).toMatchObject([{ turnId: 'turn_0' }, { turnId: 'turn_1' }]);
    expect(await ofSession('session_1', first.next)).toMatchObject({
      items: [{ turnId: 'turn_2' }],
      next: null,
    });
    expect((await ofSession('session_2')).items).toEqual([{ ...up, sessionId: 'session_2' }]);
    await store().removeSession('session_1');
    expect((await ofSession('session_1')).items).toEqual([]);
    expect((await store().listFeedback({ agentId: 'agent_1', after: null, limit: 9 })).items).toEqual([]);
    expect((await store().listFeedback({ agentId: 'agent_2', after: null, limit: 9 })).items).toHaveLength(1);
  });
}
