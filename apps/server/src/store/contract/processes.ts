import { expect, test } from 'vitest';
import type { EnqueueResult } from '../queue-store.ts';
import { LeaseLostError } from '../store-error.ts';
import type { Store } from '../store.ts';
import {
  delta,
  enqueueRequest,
  leaseMs,
  logOf,
  opened,
  opening,
  type TestClock,
  texts,
  uploaded,
  naming,
} from './samples.ts';

const rounds = 20;

/** Races between processes that share a database; between the calls of one process where there is no other. */
export function testProcesses(stores: () => readonly [Store, ...Store[]], clock: TestClock): void {
  /** Each call at once, spread over the processes. */
  function race<T>(count: number, call: (store: Store, n: number) => Promise<T>): Promise<T[]> {
    const all = stores();
    return Promise.all(Array.from({ length: count }, (_, n) => call(all[n % all.length]!, n)));
  }

  const accepted = (results: readonly EnqueueResult[]) =>
    results.filter((result) => result.outcome === 'accepted');
  const tally = (results: readonly EnqueueResult[]) =>
    Object.fromEntries(
      [...new Set(results.map(({ outcome }) => outcome))].map((outcome) => [
        outcome,
        results.filter((result) => result.outcome === outcome).length,
      ]),
    );

  test('of many that open one session at once, one opens it and all queue in one order', async () => {
    for (let round = 0; round < rounds; round++) {
      const sessionId = `session_${round}`;
      const results = await race(8, (store, n) =>
        store.enqueue(
          enqueueRequest({
            sessionId,
            item: { id: `item_${n}`, body: n },
            lease: { owner: `process ${n % 2}`, leaseMs },
          }),
        ),
      );
      expect(accepted(results)).toHaveLength(8);
      expect(accepted(results).filter(({ leased }) => leased !== null)).toHaveLength(1);
      for (const store of stores()) {
        const queue = await store.listQueue(sessionId);
        expect(queue.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
        expect(new Set(queue.map(({ id }) => id)).size).toBe(8);
      }
    }
  });

  test('of many that open one conversation at once, all are of one session', async () => {
    for (let round = 0; round < rounds; round++) {
      const conversation = { conversationId: `chat ${round}`, conversationScope: 'one' };
      const results = await race(6, (store, n) =>
        store.enqueue(
          enqueueRequest({ sessionId: `session_${round}_${n}`, open: { ...opening, ...conversation } }),
        ),
      );
      expect(new Set(accepted(results).map(({ sessionId }) => sessionId)).size).toBe(1);
    }
  });

  test('of many that reach for a lease at once, one gets it; the others cannot append', async () => {
    for (let round = 0; round < rounds; round++) {
      const sessionId = `session_${round}`;
      const first = await opened(stores()[0], sessionId);
      clock.now += leaseMs;
      const leases = await race(6, (store, n) =>
        store.acquireLease(sessionId, { owner: `process ${n}`, leaseMs }),
      );
      expect(leases.filter((lease) => lease !== null)).toHaveLength(1);
      await expect(stores()[0].commit(first, { events: [delta('late')] })).rejects.toThrow(LeaseLostError);
      expect(await logOf(stores()[0], sessionId)).toEqual([]);
    }
  });

  test('an owner that is late appends before the next one or not at all', async () => {
    for (let round = 0; round < rounds; round++) {
      const sessionId = `session_${round}`;
      const [late, next] = [stores()[0], stores().at(-1)!];
      const lease = await opened(late, sessionId);
      clock.now += leaseMs;
      const commits = Promise.allSettled(
        [0, 1, 2].map((n) => late.commit(lease, { events: [delta(`late ${n}`), delta(`late ${n}`)] })),
      );
      const taken = await next.acquireLease(sessionId, { owner: 'next', leaseMs });
      await next.commit(taken!, { events: [delta('on time')] });
      const written = (await commits).filter(({ status }) => status === 'fulfilled').length;
      const log = await logOf(next, sessionId);
      expect(log.map(({ index }) => index)).toEqual(log.map((_, index) => index));
      expect(log).toHaveLength(2 * written + 1);
      expect(texts(log).at(-1)).toBe('on time');
    }
  });

  test('commits of one lease from everywhere leave no hole and no index twice', async () => {
    const lease = await opened(stores()[0]);
    const results = await race(60, (store, n) =>
      store.commit(lease, { events: Array.from({ length: 1 + (n % 3) }, () => delta(`${n}`)) }),
    );
    const log = await logOf(stores()[0], 'session_1');
    expect(log.map(({ index }) => index)).toEqual(log.map((_, index) => index));
    for (const [n, { firstIndex }] of results.entries()) expect(texts(log)[firstIndex]).toBe(`${n}`);
    expect((await stores()[0].getSession('session_1'))?.nextIndex).toBe(log.length);
  });

  test('of 200 requests at once of one key exactly 60 pass', async () => {
    const rateLimits = [{ scope: 'key', limit: 60, windowMs: 60_000 }];
    const results = await race(200, (store, n) =>
      store.enqueue(enqueueRequest({ sessionId: `session_${n}`, rateLimits })),
    );
    expect(tally(results)).toEqual({ accepted: 60, limited: 140 });
  });

  test('requests that count in several scopes in any order wait for one another and never for ever', async () => {
    const scopes = ['a', 'b', 'c', 'd'];
    const window = { limit: 1_000, windowMs: 60_000 };
    const results = await race(60, (store, n) => {
      const order = n % 2 === 0 ? scopes : scopes.toReversed();
      return store.enqueue(
        enqueueRequest({
          sessionId: `session_${n % 7}`,
          maxQueued: 100,
          rateLimits: order.map((scope) => ({ ...window, scope })),
          quotas: order.map((scope) => ({ ...window, scope, amount: 1 })),
        }),
      );
    });
    expect(tally(results)).toEqual({ accepted: 60 });
    for (const scope of scopes)
      expect(await stores()[0].readQuota('nobody', { scope, windowMs: 60_000 })).toBe(60);
  });

  test('a quota and a reservation are counted by one clock and one counter', async () => {
    const meter = { scope: 'tokens', windowMs: 60_000 };
    const reservation = { ...meter, limit: 50, amount: 10 };
    const results = await race(40, (store, n) =>
      store.enqueue(enqueueRequest({ sessionId: `session_${n}`, reservation })),
    );
    expect(tally(results)).toEqual({ accepted: 5, limited: 35 });
    const leases = accepted(results).map(({ leased }) => leased!.lease);
    await race(leases.length, (store, n) =>
      store.commit(leases[n]!, {
        events: [],
        consume: [0],
        spend: [{ ...meter, amount: 3 }],
        release: true,
        meter,
      }),
    );
    expect(await stores()[0].readQuota('nobody', meter)).toBe(15);
  });

  test('one request under one idempotency key is accepted, wherever its repeats arrive', async () => {
    for (let round = 0; round < rounds; round++) {
      const idempotency = { scope: `key ${round}`, request: 'hash', result: round, ttlMs: 1_000 };
      const results = await race(6, (store, n) =>
        store.enqueue(enqueueRequest({ sessionId: `session_${round}_${n}`, idempotency })),
      );
      expect(tally(results)).toEqual({ accepted: 1, repeated: 5 });
    }
  });

  test('of messages everywhere that name one file, one has it', async () => {
    await uploaded(stores()[0]);
    const results = await race(8, (store, n) =>
      store.enqueue(enqueueRequest({ sessionId: `session_${n}`, files: naming('file_1') })),
    );
    expect(tally(results)).toEqual({ accepted: 1, 'file-missing': 7 });
  });

  test('letting go here and accepting there never leaves an item that nobody runs', async () => {
    for (let round = 0; round < 2 * rounds; round++) {
      const sessionId = `session_${round}`;
      const [here, there] = [stores()[0], stores().at(-1)!];
      const lease = await opened(here, sessionId);
      const enqueue = () => there.enqueue(enqueueRequest({ sessionId, lease: { owner: 'other', leaseMs } }));
      const last = { events: [delta('done')], consume: [0], release: true };
      const [result, { released }] = await Promise.all([enqueue(), here.commit(lease, last)]);
      expect(result.outcome).toBe('accepted');
      if (result.outcome === 'accepted') expect(result.leased === null).toBe(!released);
    }
  });

  test('ending here and accepting there leaves an ended session with nothing queued', async () => {
    for (let round = 0; round < rounds; round++) {
      const sessionId = `session_${round}`;
      const [here, there] = [stores()[0], stores().at(-1)!];
      const lease = await opened(here, sessionId);
      await here.commit(lease, { events: [], consume: [0], release: true });
      const { open: _, ...followUp } = enqueueRequest({ sessionId });
      const [ended, result] = await Promise.all([
        here.endSession(sessionId, { events: [delta('over')], status: 'completed' }),
        there.enqueue(followUp),
      ]);
      expect(result.outcome).toBe(ended === null ? 'accepted' : 'ended');
      expect(await there.listQueue(sessionId)).toHaveLength(ended === null ? 1 : 0);
    }
  });

  test('removing here and appending there leaves nothing behind', async () => {
    for (let round = 0; round < rounds; round++) {
      const sessionId = `session_${round}`;
      const [here, there] = [stores()[0], stores().at(-1)!];
      const lease = await opened(here, sessionId);
      const commits = Promise.allSettled(
        Array.from({ length: 5 }, (_, n) => there.commit(lease, { events: [delta(`${n}`)] })),
      );
      expect(await here.removeSession(sessionId)).toBe(true);
      await commits;
      expect(await logOf(there, sessionId)).toEqual([]);
      expect(await opened(there, sessionId)).toMatchObject({ epoch: 1 });
      expect(await logOf(there, sessionId)).toEqual([]);
    }
  });

  test('what expires is removed once, however many remove it at once', async () => {
    for (let n = 0; n < 10; n++) await uploaded(stores()[0], { id: `file_${n}` });
    clock.now += 3_600_000;
    await race(4, (store) => store.files.expire());
    for (let n = 0; n < 10; n++) expect(await stores()[0].files.chunk(`file_${n}`, 0)).toBeNull();
  });
}
