import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { delta, logOf, opened, texts } from '../store/contract/samples.ts';
import { testStore } from '../testing/test-store.ts';
import type { StoredEvent } from '../store/event-store.ts';
import type { Store } from '../store/store.ts';
import { type Subscription, subscribe } from './subscribe.ts';
import { localEvents } from '../testing/local-events.ts';
import { logPages } from './log-pages.ts';
import { maxAtOnce, roundMs } from './next-page-task.ts';

type Step =
  | { do: 'append'; count: number; told: 'all' | 'some' | 'nothing' }
  | { do: 'follow'; from: number; room: number }
  | { do: 'resume' }
  | { do: 'stop'; which: number }
  | { do: 'breathe' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('append' as const),
    count: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant(450)),
    /** What the live side says: the events, that there are some, or nothing at all. */
    told: fc.constantFrom('all' as const, 'some' as const, 'nothing' as const),
  }),
  fc.record({
    do: fc.constant('follow' as const),
    from: fc.nat(30),
    /** Events that its sink takes before it is full. */
    room: fc.constantFrom(1, 3, 300, Infinity),
  }),
  fc.record({ do: fc.constant('resume' as const) }),
  fc.record({ do: fc.constant('stop' as const), which: fc.nat(5) }),
  fc.record({ do: fc.constant('breathe' as const) }),
);

interface Follower {
  readonly from: number;
  readonly taken: StoredEvent[];
  readonly following: Subscription;
  room: number;
  stopped: boolean;
}

/** A reader whose every read takes some turns of the event loop, as a slow disk would. */
function slowly(store: Store, turns: () => number): Store {
  return {
    ...store,
    async readEvents(...request) {
      const events = await store.readEvents(...request);
      for (let left = turns(); left > 0; left -= 1) await nextTurn();
      return events;
    },
  };
}

test('whatever comes between, every follower gets every event once, in order', async () => {
  const store = await (await testStore()).open();
  let sessions = 0;
  const property = fc.asyncProperty(
    fc.array(step, { maxLength: 25 }),
    fc.infiniteStream(fc.nat(3)),
    fc.boolean(),
    fc.boolean(),
    async (steps, delays, remembered, lostMessages) => {
      const sessionId = `session_${sessions++}`;
      const lease = await opened(store, sessionId);
      const { bus, live } = localEvents(store);
      if (remembered) live.remember(sessionId, 0);
      const slow = slowly(store, () => Number(delays.next().value));
      const followers: Follower[] = [];
      let length = 0;
      let writing = Promise.resolve();

      const append = (count: number, told: 'all' | 'some' | 'nothing') => {
        const events = Array.from({ length: count }, () => delta(String(length++)));
        writing = writing.then(async () => {
          const { firstIndex } = await store.commit(lease, { events });
          if (told === 'all') {
            live.publish(
              sessionId,
              events.map((event, offset) => ({ ...event, index: firstIndex + offset })),
            );
          }
          if (told === 'some') live.publish(sessionId, []);
        });
      };
      const begin = (from: number, room: number) => {
        const taken: StoredEvent[] = [];
        const follower: Follower = {
          from,
          room,
          taken,
          stopped: false,
          following: subscribe(
            { store: slow, live },
            sessionId,
            from,
            (events) => {
              expect(follower.stopped).toBe(false);
              const some = events.slice(0, follower.room);
              taken.push(...some);
              follower.room -= some.length;
              return some.length;
            },
            (error) => {
              throw error;
            },
          ),
        };
        followers.push(follower);
      };
      const resume = () => {
        for (const follower of followers) {
          follower.room += 7;
          follower.following.resume();
        }
      };

      for (const action of steps) {
        if (action.do === 'append') append(action.count, action.told);
        if (action.do === 'follow') begin(action.from, action.room);
        if (action.do === 'resume') resume();
        if (action.do === 'breathe') await nextTurn();
        const stopping = action.do === 'stop' ? followers[action.which] : undefined;
        stopping?.following.stop();
        if (stopping) stopping.stopped = true;
      }
      append(1, lostMessages ? 'nothing' : 'all');
      await writing;
      if (lostMessages) bus.announceGap();

      const all = texts(await logOf(store, sessionId));
      const behind = () =>
        followers.filter(({ stopped, from, taken }) => !stopped && from + taken.length < all.length);
      for (let rounds = 0; behind().length > 0 && rounds < 100_000; rounds += 1) {
        for (const follower of behind()) {
          follower.room = 1_000;
          follower.following.resume();
        }
        await nextTurn();
      }
      for (const { stopped, from, taken } of followers) {
        const expected = all.slice(from);
        expect(texts(taken)).toEqual(stopped ? expected.slice(0, taken.length) : expected);
      }
      for (const { following } of followers) following.stop();
    },
  );
  await fc.assert(property, { numRuns: 60 });
  await store.close();
});

test('a failing read is told once', async () => {
  const store = await (await testStore()).open();
  await opened(store);
  const failure = new Error('gone');
  const failing: Store = { ...store, readEvents: () => Promise.reject(failure) };
  const told = await new Promise((resolve) => {
    subscribe(
      { store: failing, live: localEvents(store).live },
      'session_1',
      0,
      (events) => events.length,
      resolve,
    );
  });
  expect(told).toBe(failure);
  await store.close();
});

test.each([
  ['few read a long page in one round of the event loop', roundMs + 1, (most: number) => most <= maxAtOnce],
  ['short pages are read together', 0, (most: number) => most > maxAtOnce],
])('however many readers catch up at once, %s', async (_, pageMs, isExpected) => {
  const store = await (await testStore()).open();
  const lease = await opened(store);
  const events = Array.from({ length: 600 }, (_, index) => delta(String(index)));
  await store.commit(lease, { events });
  let watching = true;
  let reads = 0;
  let most = 0;
  const watch = () => {
    reads = 0;
    if (watching) setImmediate(watch);
  };
  watch();
  const counting: Store = {
    ...store,
    readEvents(...request) {
      reads += 1;
      most = Math.max(most, reads);
      const begunAt = performance.now();
      while (performance.now() - begunAt < pageMs);
      return store.readEvents(...request);
    },
  };
  const parts = { store: counting, live: localEvents(store).live };
  let done = 0;
  const followings = Array.from({ length: 20 }, () => {
    let taken = 0;
    const sink = (page: readonly StoredEvent[]) => {
      taken += page.length;
      if (taken === events.length) done += 1;
      return page.length;
    };
    return subscribe(parts, 'session_1', 0, sink, (error) => {
      throw error;
    });
  });
  const pages = async () => {
    for await (const page of logPages(counting, 'session_1')) expect(page).not.toEqual([]);
  };
  await Promise.all(Array.from({ length: 20 }, pages));
  while (done < followings.length) await nextTurn();
  watching = false;
  expect(isExpected(most), `${most} pages in one round`).toBe(true);
  for (const following of followings) following.stop();
  await store.close();
});

test('the reader that events are kept for hears all without the store being read, and then none are kept', async () => {
  const store = await (await testStore()).open();
  const lease = await opened(store);
  const live = localEvents(store).live;
  live.remember(lease.sessionId, 0);
  const append = async (text: string) => {
    const events = [delta(text)];
    const { firstIndex } = await store.commit(lease, { events });
    live.publish(
      lease.sessionId,
      events.map((event, offset) => ({ ...event, index: firstIndex + offset })),
    );
  };
  await append('before');
  const heard: StoredEvent[] = [];
  const unread = { ...store, readEvents: () => Promise.reject(new Error('The store was read.')) };
  const failed: unknown[] = [];
  const following = subscribe(
    { store: unread, live },
    lease.sessionId,
    0,
    (events) => heard.push(...events) && events.length,
    (error) => failed.push(error),
  );
  await nextTurn();
  expect(texts(heard)).toEqual(['before']);
  await append('after');
  expect(texts(heard)).toEqual(['before', 'after']);
  expect(failed).toEqual([]);
  expect(live.recent(lease.sessionId, 0)).toBeNull();
  following.stop();
  await store.close();
});

test('a reader that is told of more than the log holds is let go, and holds nobody up', async () => {
  const store = await (await testStore()).open();
  const lease = await opened(store, 'session');
  await store.commit(lease, { events: [delta('0')] });
  const { live } = localEvents(store);
  const failure = Promise.withResolvers<unknown>();
  let removed = false;
  const gone: Store = {
    ...store,
    readEvents: async (...request) => {
      if (removed) return { events: [], next: null };
      return store.readEvents(...request);
    },
  };
  const taken: StoredEvent[] = [];
  const reader = subscribe(
    { store: gone, live },
    'session',
    0,
    (events) => taken.push(...events) && events.length,
    failure.resolve,
  );
  await expect.poll(() => taken.length).toBe(1);
  removed = true;
  // Its last events were announced as numbers, and the session was removed before they could be read.
  live.publish('session', [{ ...taken[0]!, index: 3 }]);
  expect(await failure.promise).toMatchObject({ name: 'SessionRemovedError' });
  reader.stop();
  await store.close();
});
