import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createLogger } from '../logger.ts';
import { resolveAgent } from '../resolve-agent.ts';
import type { RunningService } from '../running-service.ts';
import { startService } from '../service.ts';
import { chatPath } from '../testing/chat-service.ts';
import { newAgent } from '../testing/new-agent.ts';
import { request } from '../testing/test-service.ts';
import { testStore } from '../testing/test-store.ts';
import { Visitor } from '../testing/visitor.ts';

/** What a process asks of its store whether or not anybody speaks to it. */
const background = new Set([
  'listTenantRevisions',
  'listRunnable',
  'renewLeases',
  'listHeldCommands',
  'listRights',
  'listOwned',
  'waitingDeliveries',
]);
/** Each may meet a process that was held up for so long that it has to look its settings up again. */
const tries = 5;

interface CountingService {
  readonly service: RunningService;
  /** What was asked of the store since `begin`, at the latest call of a model. */
  readonly begin: () => void;
  readonly beforeModel: () => readonly string[];
  /** How often it was looked whose settings have changed. */
  readonly looks: () => number;
}

async function countingService(): Promise<CountingService> {
  const stored = await testStore();
  let calls: string[] = [];
  let beforeModel: readonly string[] = [];
  let looks = 0;
  const store = noting(await stored.open(), (name) => {
    if (name === 'listTenantRevisions') looks += 1;
    if (!background.has(name)) calls.push(name);
  });
  const config = readConfig({ ...stored.environment, PORT: '0' });
  const service = await startService(config, createLogger('silent'), {
    store,
    async resolveAgent(parts, session) {
      const runtime = await resolveAgent(parts, session);
      if (!runtime) return null;
      const { model } = runtime;
      const stream: typeof model.stream = (call) => {
        beforeModel = [...calls];
        return model.stream(call);
      };
      return { ...runtime, model: { ...model, stream } };
    },
  });
  onTestFinished(() => service.stop());
  return { service, begin: () => void (calls = []), beforeModel: () => beforeModel, looks: () => looks };
}

/** The same store, whose calls are told of by name, those of its parts too. */
function noting<T extends object>(target: T, note: (name: string) => void): T {
  return new Proxy(target, {
    get(_, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member === 'function')
        return (...args: unknown[]): unknown => {
          note(String(name));
          return Reflect.apply(member, target, args);
        };
      return typeof member === 'object' && member !== null ? noting(member, note) : member;
    },
  });
}

/** The fewest calls of some tries, each after nobody has asked for anything for longer than anything read stays young. */
async function fewestCalls(
  { begin, beforeModel, looks }: CountingService,
  speak: () => Promise<unknown>,
): Promise<readonly string[]> {
  let fewest: readonly string[] | null = null;
  await speak();
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const before = looks();
    await expect.poll(looks).toBeGreaterThan(before + 2);
    begin();
    await speak();
    if (fewest === null || beforeModel().length < fewest.length) fewest = beforeModel();
  }
  return fewest ?? [];
}

test('a session begins with one call of the store before the model is called, and goes on with three', async () => {
  const counting = await countingService();
  const { key } = await newAgent(counting.service, [{ steps: [{ say: 'Hello' }] }]);
  const visitor = new Visitor(counting.service.url, key);
  const begun = async () => {
    const session = await visitor.start('Hello');
    await session.log(1);
    return session;
  };
  expect(await fewestCalls(counting, begun)).toEqual(['enqueue']);
  const session = await begun();
  let turns = 1;
  const followed = async () => {
    await session.send({ message: 'More' });
    await session.log(++turns);
  };
  expect((await fewestCalls(counting, followed)).length).toBeLessThanOrEqual(3);
});

test('a Chat turn asks the store three times before the model is called', async () => {
  const counting = await countingService();
  const { key } = await newAgent(counting.service, [{ steps: [{ say: 'Hello' }] }]);
  const converse = () =>
    request(counting.service.url + chatPath, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'conversation', text: 'Hello' }),
    });
  expect((await fewestCalls(counting, converse)).length).toBeLessThanOrEqual(3);
});
