import { expect, test } from 'vitest';
import type { Lease } from '../lease-store.ts';
import type { Store } from '../store.ts';
import { LeaseLostError } from '../store-error.ts';
import type { TurnEnd, TurnQuery } from '../turn-store.ts';
import {
  delta,
  enqueueRequest,
  leaseMs,
  opened,
  opening,
  sessionCompleted,
  start,
  turnStarted,
  type TestClock,
} from './samples.ts';

function ended(sequence: number, change: Partial<TurnEnd> = {}): TurnEnd {
  return {
    sequence,
    status: 'completed',
    inputTokens: 30,
    outputTokens: 4,
    firstDeltaAt: start + 50,
    endedAt: start + 90,
    ...change,
  };
}

const all: TurnQuery = { agentId: opening.agentId, from: 0, before: start * 2, after: null, limit: 10 };

export function testTurns(store: () => Store, clock: TestClock): void {
  const turns = async (query: Partial<TurnQuery> = {}) =>
    (await store().listTurns({ ...all, ...query })).items;
  const statuses = async (query: Partial<TurnQuery> = {}) =>
    (await turns(query)).map(({ sequence, status }) => [sequence, status]);

  test('a turn is listed from its first commit on, and with how it ended from its last', async () => {
    const lease = await opened(store());
    await store().commit(lease, { events: [delta('before'), turnStarted(0), delta('a')] });
    const running = {
      sessionId: 'session_1',
      agentId: 'agent_1',
      sequence: 0,
      status: 'running',
      itemId: 'item_0',
      author: 'visitor',
      configuration: 'c1',
      modelId: 'scripted',
      firstIndex: 1,
      lastIndex: null,
      inputTokens: 0,
      outputTokens: 0,
      startedAt: start,
      firstDeltaAt: null,
      endedAt: null,
    };
    expect(await turns()).toEqual([running]);
    await store().commit(lease, { events: [delta('b')] });
    await store().commit(lease, { events: [delta('c'), delta('d')], endTurns: [ended(0)] });
    expect(await turns()).toEqual([
      {
        ...running,
        status: 'completed',
        lastIndex: 5,
        inputTokens: 30,
        outputTokens: 4,
        firstDeltaAt: start + 50,
        endedAt: start + 90,
      },
    ]);
  });

  test('a turn may begin and end with one commit, and end once', async () => {
    const lease = await opened(store());
    const failed = ended(0, { status: 'failed', firstDeltaAt: null });
    await store().commit(lease, {
      events: [turnStarted(0, { author: 'agent', configuration: null, modelId: null })],
      endTurns: [failed],
    });
    await store().commit(lease, { events: [], endTurns: [ended(0)] });
    expect(await turns()).toMatchObject([
      { status: 'failed', author: 'agent', configuration: null, modelId: null, firstIndex: 0, lastIndex: 0 },
    ]);
  });

  test('a turn that another model answered than it began with is that model’s', async () => {
    const lease = await opened(store());
    await store().commit(lease, {
      events: [turnStarted(0), turnStarted(1)],
      endTurns: [ended(0, { modelId: 'quoting' }), ended(1)],
    });
    expect(await turns()).toMatchObject([{ modelId: 'scripted' }, { modelId: 'quoting' }]);
  });

  test('who waits for somebody is listed until that is settled', async () => {
    const lease = await opened(store());
    await store().commit(lease, { events: [turnStarted(0)], endTurns: [ended(0, { status: 'waiting' })] });
    await store().commit(lease, { events: [turnStarted(1)], endTurns: [ended(1)], settleTurns: [1] });
    expect(await statuses({ waiting: true })).toEqual([[0, 'waiting']]);
    await store().commit(lease, { events: [turnStarted(2)], settleTurns: [0] });
    expect(await statuses({ waiting: true })).toEqual([]);
    expect(await statuses()).toEqual([
      [2, 'running'],
      [1, 'completed'],
      [0, 'completed'],
    ]);
  });

  test('a late owner changes no turn', async () => {
    const late = await opened(store());
    await store().commit(late, { events: [turnStarted(0)] });
    clock.now += leaseMs;
    await store().acquireLease('session_1', { owner: 'second', leaseMs });
    const change = { events: [turnStarted(1)], endTurns: [ended(0)] };
    await expect(store().commit(late, change)).rejects.toThrow(LeaseLostError);
    expect(await statuses()).toEqual([[0, 'running']]);
  });

  test('a session that ends cancels what runs or waits, and nothing else', async () => {
    const lease = await opened(store());
    await store().commit(lease, {
      events: [turnStarted(0), turnStarted(1), turnStarted(2)],
      endTurns: [ended(0), ended(1, { status: 'waiting' })],
    });
    await store().commit(lease, { events: [sessionCompleted], status: 'completed' });
    const expected = [
      [2, 'cancelled'],
      [1, 'cancelled'],
      [0, 'completed'],
    ];
    expect(await statuses()).toEqual(expected);
    expect((await turns())[0]?.endedAt).toBe(clock.now);

    const other = await opened(store(), 'session_2');
    await store().commit(other, { events: [turnStarted(3)], consume: [0], release: true });
    await store().endSession('session_2', { events: [sessionCompleted], status: 'completed' });
    expect(await statuses()).toEqual([[3, 'cancelled'], ...expected]);
  });

  test('turns are listed by the time they began, of one agent, page by page, the last first', async () => {
    const leases: Lease[] = [];
    for (const id of ['session_1', 'session_2']) leases.push(await opened(store(), id));
    for (const sequence of [0, 1, 2])
      for (const lease of leases)
        await store().commit(lease, { events: [turnStarted(sequence)], endTurns: [ended(sequence)] });
    const elsewhere = enqueueRequest({ sessionId: 'session_3', open: { ...opening, agentId: 'agent_2' } });
    const accepted = await store().enqueue(elsewhere);
    if (accepted.outcome !== 'accepted' || !accepted.leased) throw new Error(accepted.outcome);
    await store().commit(accepted.leased.lease, { events: [turnStarted(0)] });

    const seen: [number, string][] = [];
    let after: string | null = null;
    let pages = 0;
    do {
      const page = await store().listTurns({ ...all, after, limit: 4 });
      seen.push(...page.items.map(({ startedAt, sessionId }): [number, string] => [startedAt, sessionId]));
      after = page.next;
      pages += 1;
    } while (after !== null);
    expect(pages).toBe(2);
    expect(seen.map(([at]) => at - start)).toEqual([2, 2, 1, 1, 0, 0]);
    expect(new Set(seen.map(([at, id]) => `${at} ${id}`)).size).toBe(6);
    expect(await statuses({ from: start + 1, before: start + 2 })).toEqual([
      [1, 'completed'],
      [1, 'completed'],
    ]);
    expect(await turns({ agentId: 'agent_2' })).toMatchObject([{ sessionId: 'session_3' }]);
    expect(await turns({ after: 'no place' })).toHaveLength(6);
  });

  test('a removed session has no turns', async () => {
    const lease = await opened(store());
    await store().commit(lease, { events: [turnStarted(0)] });
    await store().removeSession('session_1');
    expect(await turns()).toEqual([]);
  });
}
