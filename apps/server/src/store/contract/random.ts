import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Clock } from '../clock.ts';
import type { Lease } from '../lease-store.ts';
import type { Store } from '../store.ts';
import { LeaseLostError } from '../store-error.ts';
import { bounds, Model } from './model.ts';
import { enqueueRequest, delta, historyOf, logOf, opening, start, type TestClock, texts } from './samples.ts';

const leaseMs = 10;

const small = fc.integer({ min: 0, max: 3 });
const sessionId = fc.constantFrom('a', 'b', 'c');
const owner = fc.constantFrom('runner', 'runner', 'other');
const few = (max: number) => fc.array(small, { maxLength: max });

const conversations = [
  ['one', 'x'],
  ['one', 'y'],
  ['two', 'x'],
] as const;

const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('enqueue' as const),
      sessionId,
      open: fc.boolean(),
      conversation: fc.constantFrom(null, null, ...conversations),
      scope: fc.constantFrom(null, 'one', 'two'),
      request: fc.constantFrom('same', 'same', 'other'),
      owner,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('commit' as const),
      lease: fc.nat(),
      events: small,
      history: few(2),
      retract: few(1),
      consume: few(3),
      status: fc.option(fc.constantFrom('completed' as const, 'failed' as const), {
        nil: undefined,
        freq: 8,
      }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('release' as const), lease: fc.nat() }) },
  fc.record({ type: fc.constant('abandon' as const), lease: fc.nat() }),
  { weight: 2, arbitrary: fc.record({ type: fc.constant('acquireLease' as const), sessionId, owner }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 15 }) }),
  },
  fc.record({ type: fc.constant('end' as const), sessionId }),
  fc.record({ type: fc.constant('remove' as const), sessionId }),
  fc.record({ type: fc.constant('forget' as const), scope: fc.constantFrom('one', 'two') }),
  fc.record({ type: fc.constant('renew' as const) }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

export function testRandomly(
  open: (clock: Clock) => Promise<{ stores: readonly Store[]; close(): Promise<void> }>,
): void {
  test('every operation answers as a plain model of the promises does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 10, maxLength: 60 }), async (operations) => {
        const clock: TestClock = { now: start };
        const database = await open(() => clock.now);
        try {
          await compare(database.stores, clock, operations);
        } finally {
          await database.close();
        }
      }),
      { numRuns: 100 },
    );
  }, 120_000);
}

async function compare(
  stores: readonly Store[],
  clock: TestClock,
  operations: readonly Operation[],
): Promise<void> {
  const model = new Model();
  const leases: Lease[] = [];
  let said = 0;
  const next = () => `text ${said++}`;

  for (const [n, operation] of operations.entries()) {
    const store = stores[n % stores.length]!;
    const now = clock.now;
    const until = now + leaseMs;
    switch (operation.type) {
      case 'enqueue': {
        const { scope, request, ...target } = operation;
        const idempotency = scope === null ? null : { scope, request, ttlMs: 15 };
        const itemId = next();
        const expected = model.enqueue({ ...target, itemId, idempotency, until, now });
        const { open: _, ...followUp } = enqueueRequest({
          sessionId: operation.sessionId,
          item: { id: itemId, body: itemId },
          maxQueued: bounds.maxQueued,
          rateLimits: [bounds],
          idempotency: idempotency && { ...idempotency, result: scope },
          lease: { owner: operation.owner, leaseMs },
        });
        const [conversationScope, conversationId] = operation.conversation ?? [null, null];
        const accepted = await store.enqueue(
          operation.open
            ? { ...followUp, open: { ...opening, conversationScope, conversationId } }
            : followUp,
        );
        expect(accepted).toMatchObject(expected);
        if (accepted.outcome === 'accepted' && accepted.leased !== null) leases.push(accepted.leased.lease);
        break;
      }
      case 'commit': {
        const lease = leases[operation.lease % leases.length];
        if (lease === undefined) break;
        const written = Array.from({ length: operation.events }, next);
        const history = operation.history.map((turn) => ({ turn, message: next() }));
        const { retract, consume, status } = operation;
        const expected = model.commit(lease, { texts: written, history, retract, consume, status, now });
        const committed = store.commit(lease, {
          events: written.map(delta),
          history,
          retract,
          consume,
          ...(status === undefined ? {} : { status }),
        });
        if (expected === 'lease lost') await expect(committed).rejects.toThrow(LeaseLostError);
        else expect(await committed).toEqual(expected);
        break;
      }
      case 'release': {
        const lease = leases[operation.lease % leases.length];
        if (lease !== undefined) expect(await store.releaseLease(lease)).toBe(model.release(lease));
        break;
      }
      case 'abandon': {
        const lease = leases[operation.lease % leases.length];
        if (lease === undefined) break;
        await store.abandonLease(lease);
        model.abandon(lease);
        break;
      }
      case 'acquireLease': {
        const lease = await store.acquireLease(operation.sessionId, { owner: operation.owner, leaseMs });
        expect(lease).toEqual(model.acquireLease(operation.sessionId, operation.owner, until, now));
        if (lease !== null) leases.push(lease);
        break;
      }
      case 'wait':
        clock.now += operation.ms;
        break;
      case 'end': {
        const text = next();
        const change = { events: [delta(text)], status: 'completed' } as const;
        expect(await store.endSession(operation.sessionId, change)).toBe(
          model.end(operation.sessionId, text, now),
        );
        break;
      }
      case 'remove':
        expect(await store.removeSession(operation.sessionId)).toBe(model.remove(operation.sessionId));
        break;
      case 'forget':
        await store.deleteIdempotencyKey(operation.scope, operation.scope);
        model.forget(operation.scope);
        break;
      case 'renew':
        await store.renewLeases({ owner: 'runner', leaseMs });
        model.renew('runner', until);
        break;
    }
    await compareSessions(stores[(n + 1) % stores.length]!, model, clock.now);
  }
}

async function compareSessions(store: Store, model: Model, now: number): Promise<void> {
  const compareOne = async (id: string) => {
    const expected = model.sessions.get(id);
    const histories = [-1, 0, 2].map((afterTurn) => historyOf(store, id, afterTurn));
    const [session, events, queue, ...read] = await Promise.all([
      store.getSession(id),
      logOf(store, id),
      store.listQueue(id),
      ...histories,
    ]);
    expect(session?.status).toBe(expected?.status);
    expect(session?.activeAt).toBe(expected?.activeAt);
    expect(session?.nextIndex).toBe(expected?.texts.length);
    expect(texts(events)).toEqual(expected?.texts ?? []);
    expect(events.map(({ index }) => index)).toEqual(events.map((_, position) => position));
    const later = (turn: number) => expected?.history.filter((entry) => entry.turn > turn) ?? [];
    expect(read).toEqual([-1, 0, 2].map(later));
    expect(queue.map((item) => ({ id: item.id, position: item.position }))).toEqual(expected?.queue ?? []);
  };
  const [runnable, idle] = await Promise.all([
    store.listRunnable({ owner: 'runner', limit: 9 }),
    store.listIdle({ agentId: opening.agentId, idleMs: 1, limit: 9 }),
    ...['a', 'b', 'c'].map(compareOne),
  ]);
  expect(runnable).toEqual(model.listRunnable('runner', now));
  expect(idle).toEqual(model.idle(now));
}
