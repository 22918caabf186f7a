import type { SessionEvent } from '@parley/protocol/event';
import { expect, test } from 'vitest';
import { dayMs } from '../day-ms.ts';
import type { NewEvent } from '../event-store.ts';
import type { Lease } from '../lease-store.ts';
import type { Store } from '../store.ts';
import type { TurnEnd } from '../turn-store.ts';
import { seed } from './settings.ts';
import { delta, enqueueRequest, opening, start, turnStarted } from './samples.ts';

const meta = { at: '2026-01-01T00:00:00.000Z', id: 'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV' };
const logged = (event: SessionEvent): NewEvent => ({ event, concealed: false, itemId: null });

function failed(code: string, cause?: string): NewEvent {
  const details = { errorId: 'e', ...(cause && { cause: { code: cause, message: 'x' } }) };
  const data = { sequence: 0, turnId: 'turn_0', code, message: 'x', details };
  return logged({ type: 'turn.failed', data, meta });
}

function asked(kind: 'tool-approval' | 'question'): NewEvent {
  const action = { kind: 'tool-call' as const, callId: 'c', toolName: 't', input: {} };
  const data = {
    sequence: 0,
    turnId: 'turn_0',
    stepIndex: 0,
    requests: [{ requestId: 'r', kind, prompt: 'x', action }],
  };
  return logged({ type: 'input.requested', data, meta });
}

interface Sample extends Partial<Omit<TurnEnd, 'modelId'>> {
  readonly at: number;
  readonly first?: number;
  readonly took?: number;
  readonly modelId?: string | null;
  readonly events?: readonly NewEvent[];
}

export function testUsage(store: () => Store): void {
  async function open(sessionId: string, agentId: string): Promise<Lease> {
    const accepted = await store().enqueue(enqueueRequest({ sessionId, open: { ...opening, agentId } }));
    if (accepted.outcome !== 'accepted' || !accepted.leased) throw new Error(accepted.outcome);
    return accepted.leased.lease;
  }

  async function turns(lease: Lease, samples: readonly Sample[]): Promise<void> {
    for (const [
      sequence,
      { at, first, took = 1_000, modelId = 'large', events = [], ...end },
    ] of samples.entries()) {
      const startedAt = start + at;
      await store().commit(lease, {
        events: [turnStarted(sequence, { startedAt, modelId }), delta('a'), ...events, delta('b')],
        endTurns: [
          {
            sequence,
            status: 'completed',
            inputTokens: 100,
            outputTokens: 10,
            firstDeltaAt: first === undefined ? null : startedAt + first,
            endedAt: startedAt + took,
            ...end,
          },
        ],
      });
    }
  }

  const day = { agentIds: ['agent_1', 'agent_2'], from: start, before: start + dayMs };

  test('the turns of a day are counted by agent, model and how they ended, and no other’s', async () => {
    await turns(await open('one', 'agent_1'), [
      { at: 0 },
      { at: 1, modelId: 'small', inputTokens: 7, outputTokens: 3 },
      { at: dayMs - 1, inputTokens: 50 },
      { at: dayMs },
      { at: 5, status: 'waiting', events: [asked('tool-approval')] },
    ]);
    await turns(await open('two', 'agent_2'), [
      {
        at: 3,
        modelId: null,
        status: 'failed',
        inputTokens: 0,
        outputTokens: 0,
        events: [failed('INTERNAL')],
      },
      { at: 4, status: 'failed', events: [failed('MODEL_CALL_FAILED', 'MODEL_TIMED_OUT')] },
      { at: 5, status: 'failed', events: [failed('MODEL_CALL_FAILED', 'MODEL_TIMED_OUT')] },
      { at: 6, events: [asked('question')] },
      { at: -1 },
    ]);
    await turns(await open('three', 'agent_3'), [{ at: 0 }]);
    const usage = await store().readUsage(day);
    const one = { agentId: 'agent_1', modelId: 'large', inputTokens: 100, outputTokens: 10, turns: 1 };
    const two = { ...one, agentId: 'agent_2' };
    const sorted = usage.turns.toSorted((a, b) =>
      `${a.agentId}${a.modelId}${a.status}`.localeCompare(`${b.agentId}${b.modelId}${b.status}`),
    );
    expect(sorted).toEqual([
      { ...one, status: 'completed', turns: 2, inputTokens: 150, outputTokens: 20 },
      { ...one, status: 'waiting' },
      { ...one, modelId: 'small', status: 'completed', inputTokens: 7, outputTokens: 3 },
      { ...two, status: 'completed' },
      { ...two, status: 'failed', turns: 2, inputTokens: 200, outputTokens: 20 },
      { ...two, modelId: null, status: 'failed', inputTokens: 0, outputTokens: 0 },
    ]);
    expect(usage.failures).toEqual([
      { agentId: 'agent_2', name: 'INTERNAL', count: 1 },
      { agentId: 'agent_2', name: 'MODEL_TIMED_OUT', count: 2 },
    ]);
    expect(usage.approvals).toEqual([{ agentId: 'agent_1', count: 1 }]);
    expect(await store().readUsage({ ...day, agentIds: ['agent_3'] })).toMatchObject({
      turns: [{ agentId: 'agent_3', turns: 1 }],
      latencies: [{ agentId: 'agent_3' }],
      failures: [],
    });
    expect((await store().readUsage({ ...day, agentIds: [] })).turns).toEqual([]);
  });

  test('half of the turns, and 19 of 20, took at most so long, of an agent and of all together', async () => {
    const hundred = Array.from({ length: 100 }, (_, n) => ({ at: n, first: 100 - n, took: (n + 1) * 10 }));
    await turns(await open('one', 'agent_1'), hundred);
    await turns(await open('two', 'agent_2'), [
      { at: 0, first: 9_000, took: 20_000 },
      { at: 0, status: 'failed', took: 90_000 },
    ]);
    const { latencies } = await store().readUsage(day);
    expect(latencies).toEqual([
      { agentId: 'agent_1', firstDelta: { p50: 50, p95: 95 }, wholeTurn: { p50: 500, p95: 950 } },
      { agentId: 'agent_2', firstDelta: { p50: 9_000, p95: 9_000 }, wholeTurn: { p50: 20_000, p95: 20_000 } },
      { agentId: null, firstDelta: { p50: 51, p95: 96 }, wholeTurn: { p50: 510, p95: 960 } },
    ]);
  });

  test('turns of a busy day, which are read in parts, are counted all and once', async () => {
    const lease = await open('many', 'agent_1');
    const many = 2_200;
    const spread = Array.from({ length: many }, (_, sequence) => ({
      sequence,
      startedAt: start + Math.floor((dayMs * sequence) / many),
    }));
    await store().commit(lease, {
      events: spread.map(({ sequence, startedAt }) => turnStarted(sequence, { startedAt, modelId: 'large' })),
      endTurns: spread.map(({ sequence, startedAt }) => ({
        sequence,
        status: 'completed',
        inputTokens: 2,
        outputTokens: 1,
        firstDeltaAt: startedAt,
        endedAt: startedAt + 1,
      })),
    });
    const approval = { status: 'waiting', modelId: 'large', events: [asked('tool-approval')] } as const;
    const fails = { status: 'failed', modelId: 'large', events: [failed('INTERNAL')] } as const;
    const ends = [0, dayMs - 1].flatMap((at) => [
      { ...approval, at },
      { ...fails, at },
    ]);
    await turns(await open('asks', 'agent_1'), ends);
    const usage = await store().readUsage(day);
    const of = { agentId: 'agent_1', modelId: 'large' };
    expect(usage.turns).toEqual([
      { ...of, status: 'completed', turns: many, inputTokens: 2 * many, outputTokens: many },
      { ...of, status: 'failed', turns: 2, inputTokens: 200, outputTokens: 20 },
      { ...of, status: 'waiting', turns: 2, inputTokens: 200, outputTokens: 20 },
    ]);
    expect(usage.approvals).toEqual([{ agentId: 'agent_1', count: 2 }]);
    expect(usage.failures).toEqual([{ agentId: 'agent_1', name: 'INTERNAL', count: 2 }]);
    expect(usage.latencies).toMatchObject([{ wholeTurn: { p50: 1, p95: 1 } }]);
  });

  test('what turns have used stays counted once their session is removed, for as long as there is their agent', async () => {
    await seed(store());
    await turns(await open('one', 'agent_1'), [
      { at: 0, first: 1 },
      { at: 1, modelId: null, status: 'failed' },
      { at: dayMs - 1 },
      { at: dayMs },
    ]);
    await turns(await open('two', 'agent_1'), [{ at: 2 }]);
    await turns(await open('draft', 'agent_1.draft'), [{ at: 3 }]);
    const used = async () => {
      const found = (await store().readUsage({ ...day, agentIds: ['agent_1', 'agent_1.draft'] })).turns;
      return found.toSorted((a, b) => `${a.agentId}${a.status}`.localeCompare(`${b.agentId}${b.status}`));
    };
    const before = (await used()).filter(({ agentId }) => agentId === 'agent_1');
    const model = { agentId: 'agent_1', modelId: 'large', status: 'completed' };
    expect(before).toEqual([
      { ...model, turns: 3, inputTokens: 300, outputTokens: 30 },
      { ...model, modelId: null, status: 'failed', turns: 1, inputTokens: 100, outputTokens: 10 },
    ]);
    for (const id of ['one', 'draft']) await store().removeSession(id);
    expect(await used()).toEqual(before);
    await store().removeSession('two');
    expect(await used()).toEqual(before);
    expect((await store().readUsage(day)).latencies).toEqual([]);
    await store().settings.agents.remove('agent_1');
    expect(await used()).toEqual([]);
  });

  test('unanswered questions count on the day they came, once a turn, whatever becomes of them', async () => {
    await seed(store());
    for (const id of ['one', 'two']) await open(id, 'agent_1');
    await open('draft', 'agent_1.draft');
    const ask = (sessionId: string, digest: string, turn: number, at: number) => {
      const question = { digest, question: digest, turn, at: start + at };
      return store().saveQuestion({ sessionId, agentId: 'agent_1' }, question, 2);
    };
    await ask('one', 'milk', 0, -1);
    await ask('one', 'milk', 1, 0);
    // A turn that is run again, after midnight.
    await ask('one', 'milk', 1, dayMs);
    await ask('one', 'bread', 2, 2);
    await ask('two', 'milk', 0, dayMs - 1);
    await ask('draft', 'milk', 0, 3);
    await ask('none', 'milk', 0, 3);
    const counted = async (days = 0) => {
      const from = start + days * dayMs;
      return (await store().readUsage({ ...day, from, before: from + dayMs })).unanswered;
    };
    const three = [{ agentId: 'agent_1', count: 3 }];
    expect(await counted()).toEqual(three);
    expect([await counted(-1), await counted(1)]).toEqual([[{ agentId: 'agent_1', count: 1 }], []]);
    await store().removeQuestion('agent_1', 'milk');
    await store().removeSession('one');
    expect(await counted()).toEqual(three);
    await store().settings.agents.remove('agent_1');
    expect(await counted()).toEqual([]);
  });

  test('ratings count on the day they were given, and a removed session for nothing', async () => {
    await turns(await open('one', 'agent_1'), [{ at: -dayMs }]);
    await turns(await open('two', 'agent_1'), [{ at: 1 }]);
    const rate = (id: string, turnId: string, rating: 'up' | 'down', at: number) =>
      store().saveFeedback(id, { turnId, rating, comment: null, at: start + at });
    await rate('one', 'turn_0', 'up', 0);
    await rate('one', 'turn_1', 'up', dayMs - 1);
    await rate('one', 'turn_2', 'down', 5);
    await rate('one', 'turn_3', 'down', dayMs);
    await rate('two', 'turn_0', 'down', 5);
    await store().removeSession('two');
    const usage = await store().readUsage(day);
    expect(usage.ratings).toEqual([
      { agentId: 'agent_1', name: 'down', count: 1 },
      { agentId: 'agent_1', name: 'up', count: 2 },
    ]);
    expect(usage.turns).toEqual([]);
  });
}
