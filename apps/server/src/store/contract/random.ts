import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Claim, Store } from '../store.ts';
import { Fenced } from '../store-error.ts';
import { bounds, Model } from './model.ts';
import { acceptance, delta, historyOf, logOf, opening, start, texts } from './samples.ts';

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
      type: fc.constant('accept' as const),
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
      claim: fc.nat(),
      events: small,
      history: few(2),
      withdraw: few(1),
      consume: few(3),
      status: fc.option(fc.constantFrom('completed' as const, 'failed' as const), {
        nil: undefined,
        freq: 8,
      }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('release' as const), claim: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('claim' as const), sessionId, owner }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 15 }) }),
  },
  fc.record({ type: fc.constant('end' as const), sessionId }),
  fc.record({ type: fc.constant('remove' as const), sessionId }),
  fc.record({ type: fc.constant('forget' as const), scope: fc.constantFrom('one', 'two') }),
  fc.record({ type: fc.constantFrom('renew' as const, 'expireAll' as const) }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

export function testRandomly(open: () => Promise<Store>): void {
  test('every operation answers as a plain model of the promises does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 10, maxLength: 60 }), async (operations) => {
        const store = await open();
        try {
          await compare(store, operations);
        } finally {
          await store.close();
        }
      }),
      { numRuns: 100 },
    );
  });
}

async function compare(store: Store, operations: readonly Operation[]): Promise<void> {
  const model = new Model();
  const claims: Claim[] = [];
  let now = start;
  let said = 0;
  const next = () => `text ${said++}`;

  for (const operation of operations) {
    const until = now + 10;
    switch (operation.type) {
      case 'accept': {
        const { scope, request, ...target } = operation;
        const idempotency = scope === null ? null : { scope, request, expiresAt: now + 15 };
        const itemId = next();
        const expected = model.accept({ ...target, itemId, idempotency, until, now });
        const { open: _, ...followUp } = acceptance({
          sessionId: operation.sessionId,
          item: { id: itemId, body: itemId },
          maxQueued: bounds.maxQueued,
          admissions: [bounds],
          idempotency: idempotency && { ...idempotency, answer: scope },
          lease: { owner: operation.owner, until },
          now,
        });
        const [conversationScope, conversationId] = operation.conversation ?? [null, null];
        const accepted = await store.accept(
          operation.open
            ? { ...followUp, open: { ...opening, conversationScope, conversationId } }
            : followUp,
        );
        expect(accepted).toEqual(expected);
        if (accepted.outcome === 'accepted' && accepted.claim !== null) claims.push(accepted.claim);
        break;
      }
      case 'commit': {
        const claim = claims[operation.claim % claims.length];
        if (claim === undefined) break;
        const written = Array.from({ length: operation.events }, next);
        const history = operation.history.map((turn) => ({ turn, message: next() }));
        const { withdraw, consume, status } = operation;
        const expected = model.commit(claim, { texts: written, history, withdraw, consume, status, now });
        const committed = store.commit(claim, {
          events: written.map(delta),
          history,
          withdraw,
          consume,
          ...(status === undefined ? {} : { status }),
          now,
        });
        if (expected === 'fenced') await expect(committed).rejects.toThrow(Fenced);
        else expect(await committed).toEqual(expected);
        break;
      }
      case 'release': {
        const claim = claims[operation.claim % claims.length];
        if (claim !== undefined) expect(await store.release(claim)).toBe(model.release(claim));
        break;
      }
      case 'claim': {
        const claim = await store.claim(operation.sessionId, { owner: operation.owner, until, now });
        expect(claim).toEqual(model.claim(operation.sessionId, operation.owner, until, now));
        if (claim !== null) claims.push(claim);
        break;
      }
      case 'wait':
        now += operation.ms;
        break;
      case 'end': {
        const text = next();
        const change = { events: [delta(text)], status: 'completed', now } as const;
        expect(await store.end(operation.sessionId, change)).toBe(model.end(operation.sessionId, text, now));
        break;
      }
      case 'remove':
        expect(await store.remove(operation.sessionId)).toBe(model.remove(operation.sessionId));
        break;
      case 'forget':
        await store.forgetIdempotency(operation.scope);
        model.forget(operation.scope);
        break;
      case 'renew':
        await store.renew('runner', until);
        model.renew('runner', until);
        break;
      case 'expireAll':
        await store.expireAll();
        model.expireAll();
        break;
    }
    await compareSessions(store, model, now);
  }
}

async function compareSessions(store: Store, model: Model, now: number): Promise<void> {
  expect(await store.abandoned({ owner: 'runner', now, limit: 9 })).toEqual(model.abandoned('runner', now));
  expect(await store.idle({ before: now, limit: 9 })).toEqual(model.idle(now));
  for (const id of ['a', 'b', 'c']) {
    const expected = model.sessions.get(id);
    const session = await store.session(id);
    const events = await logOf(store, id);
    expect(session?.status).toBe(expected?.status);
    expect(session?.activeAt).toBe(expected?.activeAt);
    expect(session?.nextIndex).toBe(expected?.texts.length);
    expect(texts(events)).toEqual(expected?.texts ?? []);
    expect(events.map(({ index }) => index)).toEqual(events.map((_, position) => position));
    for (const afterTurn of [-1, 0, 2]) {
      const later = expected?.history.filter(({ turn }) => turn > afterTurn) ?? [];
      expect(await historyOf(store, id, afterTurn)).toEqual(later);
    }
    const queue = await store.queue(id);
    expect(queue.map((item) => ({ id: item.id, position: item.position }))).toEqual(expected?.queue ?? []);
  }
}
