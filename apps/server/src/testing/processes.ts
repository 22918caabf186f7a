import { onTestFinished } from 'vitest';
import type { Bus } from '../bus/bus.ts';
import { openBus } from '../bus/open-bus.ts';
import { type Role, readConfig } from '../config.ts';
import type { ChatTiming } from '../http/chat/chat-timing.ts';
import { createLogger } from '../logger.ts';
import { startService } from '../service.ts';
import type { Clock } from '../store/clock.ts';
import type { Store } from '../store/store.ts';
import { openPostgresStore } from '../store/postgres/postgres-store.ts';
import { type TcpProxy, tcpProxy } from './tcp-proxy.ts';
import { borrowTestDatabase } from './test-database.ts';
import { type Answer, request } from './test-service.ts';
import { ampleLimits } from './ample-limits.ts';
import { Visitor } from './visitor.ts';

type Fields = Record<string, unknown>;

export interface TestProcess {
  readonly url: string;
  readonly bus: Bus;
  /** Between the process and its bus; what it stores goes another way. */
  readonly busNetwork: TcpProxy;
  readonly store: Store;
  readonly settings: (method: string, path: string, body?: unknown) => Promise<Answer>;
  /** From now on nothing it asks of the store comes back, as if it were stopped or cut off; `thaw` lets all of it go on. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** From now on these calls of its store wait until they are let go on. */
  readonly hold: (...calls: (keyof Store)[]) => () => void;
  /** Somebody with this key who speaks to this process. */
  visitor(key: string): Visitor;
  stop(): Promise<void>;
}

export interface TestAgent {
  readonly tenantId: string;
  readonly agentId: string;
  readonly publishable: { readonly id: string; readonly key: string };
  readonly secret: { readonly id: string; readonly key: string };
}

interface ProcessesOptions {
  /** What their stores go by; else the server's own. */
  readonly clock?: Clock;
  readonly chatTiming?: ChatTiming;
  /** Of a Redis that is their bus; else it is the database. */
  readonly redisUrl?: string;
}

/** Services that share a PostgreSQL database, each with a store and a bus of its own, as processes on several machines. */
export async function testProcesses(count: number, options: ProcessesOptions = {}): Promise<TestProcess[]> {
  const start = await processStarter(options);
  return Promise.all(Array.from({ length: count }, () => start()));
}

/** Starts one more process of those that share a database, in both roles unless it is told in which. */
export async function processStarter({ clock, redisUrl, ...given }: ProcessesOptions = {}): Promise<
  (roles?: readonly Role[]) => Promise<TestProcess>
> {
  const { url } = await borrowTestDatabase(onTestFinished);
  const config = readConfig({
    DATABASE_URL: url,
    PORT: '0',
    SECRET_KEY_BASE: 's'.repeat(48),
    ADMIN_TOKEN: 'a'.repeat(48),
    LOG_LEVEL: 'silent',
  });
  const logger = createLogger(config.logLevel);
  return async (roles = config.roles) => {
    const busNetwork = await tcpProxy(redisUrl ?? url);
    const bus = await openBus(
      { ...config, postgresUrl: busNetwork.url, ...(redisUrl && { redisUrl: busNetwork.url }) },
      logger,
    );
    const store = await openPostgresStore({ url, ...(clock && { clock }) });
    const freezer = freezable(store);
    const service = await startService({ ...config, roles }, logger, {
      store: freezer.store,
      bus,
      ...given,
    });
    let stopped: Promise<void> | undefined;
    const stop = () => {
      freezer.thaw();
      return (stopped ??= service.stop());
    };
    onTestFinished(stop);
    return {
      url: service.url,
      bus,
      busNetwork,
      store,
      freeze: freezer.freeze,
      thaw: freezer.thaw,
      hold: freezer.hold,
      stop,
      settings: (method, path, body) =>
        request(`${service.url}/api/v1/settings${path}`, {
          method,
          headers: { authorization: `Bearer ${config.adminToken}`, 'content-type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      visitor: (key) => new Visitor(service.url, key),
    } satisfies TestProcess;
  };
}

function freezable(store: Store): Pick<TestProcess, 'store' | 'freeze' | 'thaw' | 'hold'> {
  const held = new Map<string, PromiseWithResolvers<void>>();
  const wrapped = Object.entries(store).map(([name, member]) => {
    if (typeof member !== 'function') return [name, member];
    const call: (...args: unknown[]) => unknown = member.bind(store);
    return [
      name,
      (...args: unknown[]) => {
        const holding = held.get(name);
        return holding ? holding.promise.then(() => call(...args)) : call(...args);
      },
    ];
  });
  const letGo = (names: Iterable<string>) => {
    for (const name of names) {
      held.get(name)?.resolve();
      held.delete(name);
    }
  };
  const hold = (...names: string[]) => {
    for (const name of names) if (!held.has(name)) held.set(name, Promise.withResolvers());
    return () => letGo(names);
  };
  return {
    // The same members, each of which answers with a promise.
    store: Object.fromEntries(wrapped) as Store,
    freeze: () => void hold(...Object.keys(store)),
    thaw: () => letGo([...held.keys()]),
    hold,
  };
}

/** A tenant of its own with one agent that follows the script, and both kinds of key. */
export async function agentOf(
  { settings }: TestProcess,
  script: readonly unknown[],
  more: Fields = {},
): Promise<TestAgent> {
  const created = async (path: string, body: Fields) => {
    const answer = await settings('POST', path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { id: tenantId } = await created('/tenants', { name: 'Tenant' });
  const agent = {
    tenantId,
    name: 'Ada',
    model: { provider: 'scripted', script },
    limits: ampleLimits({}),
    ...more,
  };
  const { id: agentId } = await created('/agents', agent);
  const publishable = await created('/keys', { tenantId, agentId, kind: 'publishable' });
  const secret = await created('/keys', { tenantId, agentId, kind: 'secret' });
  return { tenantId, agentId, publishable, secret };
}
