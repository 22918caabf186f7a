import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { newEvent, stamp } from './new-event.ts';
import { leaseMs, logOf, opened, start, type TestClock, texts } from '../store/contract/samples.ts';
import { testStore } from '../testing/test-store.ts';
import { LeaseLostError, StoreUnavailableError } from '../store/store-error.ts';
import type { NewEvent, StoredEvent } from '../store/event-store.ts';
import { type Appender, createAppender } from './appender.ts';
import { type Delta, deltaEvent } from './delta.ts';
import { maxDeltaLength } from './delta-pieces.ts';

const step = { sequence: 0, turnId: 'turn_0', stepIndex: 0 };

const sayings: Record<string, (text: string) => Delta | NewEvent> = {
  message: (text) => ({ kind: 'message', at: step, text }),
  later: (text) => ({ kind: 'message', at: { ...step, stepIndex: 1 }, text }),
  reasoning: (text) => ({ kind: 'reasoning', at: step, text }),
  call: (text) => ({ kind: 'input', at: step, callId: 'a', toolName: 't', concealed: false, text }),
  otherCall: (text) => ({ kind: 'input', at: step, callId: 'b', toolName: 't', concealed: false, text }),
  barrier: () => newEvent('step.started', step),
};

function append(appender: Appender, name: string, text = ''): void {
  const next = sayings[name]!(text);
  if ('event' in next) appender.add(next);
  else appender.say(next);
}

/** What an event says and of what: neighbours with the same name are one text. */
function spoken({ event }: { readonly event: StoredEvent['event'] }): [string, string] {
  switch (event.type) {
    case 'message.appended':
      return [`message ${event.data.stepIndex}`, event.data.messageDelta];
    case 'reasoning.appended':
      return ['reasoning', event.data.reasoningDelta];
    case 'action.appended':
      return [event.data.callId, event.data.inputDelta];
    default:
      return ['barrier', '|'];
  }
}

function joined(events: readonly { readonly event: StoredEvent['event'] }[]): [string, string][] {
  const blocks: [string, string][] = [];
  for (const [name, text] of events.map(spoken)) {
    const last = blocks.at(-1);
    if (last?.[0] === name && name !== 'barrier') last[1] += text;
    else blocks.push([name, text]);
  }
  return blocks;
}

async function rig() {
  const clock: TestClock = { now: start };
  const store = await (await testStore()).open(() => clock.now);
  onTestFinished(() => store.close());
  let sessions = 0;
  return {
    store,
    clock,
    appender: async () => {
      const sessionId = `session_${sessions++}`;
      const lease = await opened(store, sessionId);
      const published: StoredEvent[] = [];
      const failures: unknown[] = [];
      const appender = createAppender({
        store,
        lease,
        publish: (events) => void published.push(...events),
        onFailure: (error) => void failures.push(error),
      });
      return { sessionId, lease, appender, published, failures };
    },
  };
}

test('merging keeps texts and their order, and what is published is what the log holds', async () => {
  const { store, appender: begin } = await rig();
  const action = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(fc.constantFrom(...Object.keys(sayings)), fc.string({ maxLength: 3 })),
    },
    { weight: 1, arbitrary: fc.constant('breathe' as const) },
    { weight: 1, arbitrary: fc.constant('commit' as const) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
      const { sessionId, appender, published, failures } = await begin();
      const added: { readonly event: StoredEvent['event'] }[] = [];
      for (const next of actions) {
        if (next === 'breathe') await nextTurn();
        else if (next === 'commit') appender.commitSoon({});
        else {
          const saying = sayings[next[0]]!(next[1]);
          if ('event' in saying) added.push(saying);
          else if (saying.text !== '') added.push(deltaEvent(saying, saying.text, stamp()));
          append(appender, ...next);
        }
      }
      await appender.commit({});
      const stored = await logOf(store, sessionId);
      expect(joined(stored)).toEqual(joined(added));
      expect(published).toEqual(stored);
      const ids = stored.map(({ event }) => event.meta.id);
      expect(ids).toEqual([...new Set(ids)].toSorted());
      expect(stored.length).toBeLessThanOrEqual(added.length);
      expect(failures).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test('neighbouring deltas of one burst become one event of when the first came, as far as one event holds them', async () => {
  const { store, appender: begin } = await rig();
  const { sessionId, appender } = await begin();
  const long = 'c'.repeat(maxDeltaLength - 1);
  append(appender, 'message', 'a');
  const meanwhile = stamp();
  for (const text of ['b', '', long, 'de']) append(appender, 'message', text);
  await appender.commit({});
  const stored = await logOf(store, sessionId);
  expect(texts(stored)).toEqual(['ab', long, 'de']);
  expect([meanwhile.id, ...stored.map(({ event }) => event.meta.id)].toSorted().indexOf(meanwhile.id)).toBe(
    1,
  );
});

test('nothing has to be committed by hand', async () => {
  const { appender: begin } = await rig();
  const { appender, published } = await begin();
  append(appender, 'message', 'a');
  while (published.length < 1) await nextTurn();
  append(appender, 'message', 'b');
  append(appender, 'message', 'c');
  while (published.length < 2) await nextTurn();
  expect(texts(published)).toEqual(['a', 'bc']);
});

test('an owner that lost its lease publishes nothing: its commit rejects, and a write nobody awaits is reported', async () => {
  const { store, clock, appender: begin } = await rig();
  const { lease, appender, published, failures } = await begin();
  clock.now += leaseMs;
  expect(await store.acquireLease(lease.sessionId, { owner: 'other', leaseMs })).not.toBe(null);
  append(appender, 'message', 'a');
  await expect(appender.commit({})).rejects.toThrow(LeaseLostError);
  append(appender, 'message', 'b');
  while (failures.length === 0) await nextTurn();
  expect(failures[0]).toBeInstanceOf(LeaseLostError);
  expect(published).toEqual([]);
  expect(await logOf(store, lease.sessionId)).toEqual([]);
});

test('after a write that the store could not make nothing more is written, so that no text has a hole', async () => {
  const { store } = await rig();
  const lease = await opened(store, 'session_with_a_hole');
  let refusals = 1;
  const failures: unknown[] = [];
  const appender = createAppender({
    store: {
      ...store,
      commit: (...commit) =>
        refusals-- > 0 ? Promise.reject(new StoreUnavailableError('No room')) : store.commit(...commit),
    },
    lease,
    publish: () => {},
    onFailure: (error) => void failures.push(error),
  });
  append(appender, 'message', 'lost');
  while (failures.length === 0) await nextTurn();
  append(appender, 'message', 'and what follows');
  await expect(appender.commit({ state: {} })).rejects.toThrow(StoreUnavailableError);
  expect(await logOf(store, 'session_with_a_hole')).toEqual([]);
});

test('nothing is written before what comes first is there, and then it is one transaction', async () => {
  const { store } = await rig();
  const lease = await opened(store, 'session_that_waits');
  const first = Promise.withResolvers<void>();
  const published: StoredEvent[][] = [];
  const appender = createAppender({
    store,
    lease,
    after: first.promise,
    publish: (events) => void published.push([...events]),
    onFailure: () => {},
  });
  append(appender, 'barrier');
  appender.commitSoon({ state: { said: true } });
  await nextTurn();
  append(appender, 'message', 'a');
  for (let turns = 0; turns < 5; turns += 1) await nextTurn();
  expect(published).toEqual([]);
  expect(await logOf(store, 'session_that_waits')).toEqual([]);
  first.reject(new Error('Whether it is there is not known.'));
  await expect.poll(() => published.length).toBe(1);
  expect(joined(published[0]!)).toEqual([
    ['barrier', '|'],
    ['message 0', 'a'],
  ]);
  expect(await store.getSession('session_that_waits')).toMatchObject({ state: { said: true } });
});

test('events are never written without the change they were committed with, however slow the store', async () => {
  const { store } = await rig();
  const lease = await opened(store, 'session_of_a_slow_store');
  const written: { texts: string; state: unknown }[] = [];
  const appender = createAppender({
    store: {
      ...store,
      async commit(held, commit) {
        const said = commit.events.map((event) => spoken(event)[1]).join('');
        written.push({ texts: said, state: commit.state });
        for (let turns = 0; turns < 20; turns += 1) await nextTurn();
        return store.commit(held, commit);
      },
    },
    lease,
    publish: () => {},
    onFailure: () => {},
  });
  append(appender, 'message', 'first ');
  while (written.length === 0) await nextTurn();
  appender.commitSoon({});
  append(appender, 'message', 'second ');
  appender.commitSoon({});
  append(appender, 'message', 'third ');
  const third = appender.commit({ state: 3 });
  append(appender, 'message', 'fourth');
  await Promise.all([third, appender.commit({ state: 4 })]);
  expect(written).toEqual([
    { texts: 'first ', state: undefined },
    { texts: 'second third fourth', state: 4 },
  ]);
});
