import { expect, test } from 'vitest';
import type { ConversationQuery } from '../conversation-store.ts';
import type { Lease } from '../lease-store.ts';
import type { Store } from '../store.ts';
import type { TurnStatus } from '../turn-store.ts';
import {
  enqueueRequest,
  opening,
  received,
  sessionCompleted,
  start,
  turnStarted,
  type TestClock,
} from './samples.ts';

const all: ConversationQuery = {
  agentIds: ['agent_1', 'agent_2'],
  from: 0,
  before: Number.MAX_SAFE_INTEGER,
  after: null,
  limit: 10,
  maxLookedAt: 100,
};

export function testConversations(store: () => Store, clock: TestClock): void {
  const ids = async (query: Partial<ConversationQuery> = {}) =>
    (await store().listConversations({ ...all, ...query })).items.map(({ id }) => id);

  /** A turn of the session, which begins with the first; `at` milliseconds after the start. */
  async function turn(lease: Lease, sequence: number, at: number, status: Exclude<TurnStatus, 'running'>) {
    const end = { inputTokens: 1, outputTokens: 2, firstDeltaAt: null, endedAt: start + at + 5 };
    await store().commit(lease, {
      events: [turnStarted(sequence, { startedAt: start + at }), received(`Message ${sequence}`)],
      endTurns: [{ sequence, status, ...end }],
    });
  }

  async function open(sessionId: string, change: { agentId?: string; visitor?: string } = {}) {
    const accepted = await store().enqueue(enqueueRequest({ sessionId, open: { ...opening, ...change } }));
    if (accepted.outcome !== 'accepted' || !accepted.leased) throw new Error(accepted.outcome);
    return accepted.leased.lease;
  }

  /** In the order of their last turns: of two agents, and one that none is asked for. */
  async function several() {
    const leases = {
      first: await open('first', { visitor: 'Ada@example.com' }),
      second: await open('second', { agentId: 'agent_2' }),
      third: await open('third'),
    };
    await turn(leases.third, 0, 1, 'completed');
    await turn(leases.first, 0, 2, 'completed');
    await turn(leases.second, 0, 3, 'failed');
    await turn(leases.first, 1, 4, 'waiting');
    await turn(await open('elsewhere', { agentId: 'agent_3' }), 0, 5, 'completed');
    return leases;
  }

  test('conversations are listed by their last turn, of the agents that are asked for, with what is known of them', async () => {
    const leases = await several();
    clock.now += 70;
    await store().commit(leases.third, { events: [sessionCompleted], status: 'completed' });
    await store().saveFeedback('third', { turnId: 'turn_0', rating: 'up', comment: null, at: 1 });
    const known = { tenantId: 'tenant_1', interface: 'sessions', conversationId: null, createdAt: start };
    const first = {
      ...known,
      id: 'first',
      agentId: 'agent_1',
      visitor: 'Ada@example.com',
      status: 'waiting',
      firstMessage: 'Message 0',
      turns: 2,
      rating: null,
      activeAt: start,
    };
    const { items, next } = await store().listConversations(all);
    expect(items).toEqual([
      first,
      { ...first, id: 'second', agentId: 'agent_2', visitor: null, status: 'open', turns: 1 },
      {
        ...first,
        id: 'third',
        visitor: null,
        status: 'ended',
        turns: 1,
        rating: 'up',
        activeAt: start + 70,
      },
    ]);
    expect(next).toBeNull();
    expect(await store().getConversation('first')).toEqual(first);
    expect(await store().getConversation('fourth')).toBeNull();
    expect(await ids({ agentIds: ['agent_2'] })).toEqual(['second']);
    expect(await ids({ agentIds: [] })).toEqual([]);
  });

  test('pages have each conversation once, and end with the turns that may be looked at', async () => {
    await several();
    const paged = async (query: Partial<ConversationQuery>) => {
      const pages: string[][] = [];
      let after: string | null = null;
      do {
        const page = await store().listConversations({ ...all, ...query, after });
        pages.push(page.items.map(({ id }) => id));
        after = page.next;
      } while (after !== null);
      return pages;
    };
    expect(await paged({ limit: 1 })).toEqual([['first'], ['second'], ['third']]);
    expect(await paged({ maxLookedAt: 3 })).toEqual([['first', 'second'], ['third']]);
    expect(await paged({ maxLookedAt: 2, rating: 'up' })).toEqual([[], [], []]);
    expect(await ids({ after: 'no place' })).toEqual(['first', 'second', 'third']);
  });

  test('conversations are found by how they stand, what was thought of them and when', async () => {
    const { third } = await several();
    await store().commit(third, { events: [sessionCompleted], status: 'completed' });
    const rated = { comment: null, at: 1 };
    await store().saveFeedback('first', { turnId: 'turn_0', rating: 'up', ...rated });
    await store().saveFeedback('first', { turnId: 'turn_1', rating: 'down', ...rated });
    await store().saveFeedback('second', { turnId: 'turn_0', rating: 'up', ...rated });
    expect(await ids({ status: 'waiting' })).toEqual(['first']);
    expect(await ids({ status: 'open' })).toEqual(['second']);
    expect(await ids({ status: 'ended' })).toEqual(['third']);
    expect(await ids({ rating: 'down' })).toEqual(['first']);
    expect(await ids({ rating: 'up' })).toEqual(['first', 'second']);
    expect((await store().getConversation('first'))?.rating).toBe('down');
    // By its last turn of that time, though another has begun since.
    expect(await ids({ from: start + 2, before: start + 3 })).toEqual(['first']);
  });

  test('a long first message is cut, and a removed conversation is nowhere', async () => {
    const lease = await open('long');
    await store().commit(lease, { events: [turnStarted(0), received('\u{1F600}'.repeat(500))] });
    expect((await store().getConversation('long'))?.firstMessage).toBe(`${'\u{1F600}'.repeat(200)}…`);
    await store().removeSession('long');
    expect(await ids()).toEqual([]);
    expect(await store().getConversation('long')).toBeNull();
    expect(await store().listTurnsOf('long', { after: null, limit: 5 })).toEqual({ items: [], next: null });
  });

  test('the turns of a conversation are listed page by page, the first first', async () => {
    await several();
    const page = await store().listTurnsOf('first', { after: null, limit: 1 });
    expect(page.items).toMatchObject([{ sequence: 0, status: 'completed', inputTokens: 1 }]);
    const rest = await store().listTurnsOf('first', { after: page.next, limit: 1 });
    expect(rest).toMatchObject({ items: [{ sequence: 1, status: 'waiting' }], next: null });
  });
}
