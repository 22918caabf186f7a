import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { checkHistory } from '../log-checker.ts';
import type { History, Operation } from '../log-checker/history.ts';
import { type Tenant, createTenant, tools } from './tenant.ts';
import { type RestartableService, createRestartableService } from './restartable-service.ts';
import { readLog } from './reader.ts';
import { openToolSink } from './tool-sink.ts';
import { type Visitor, kinds, visit } from './visitor.ts';
import { wrongAnswers } from './wrong-answers.ts';

const settleMs = 30_000;

/** A service with two tenants. */
export interface BusyService {
  readonly service: RestartableService;
  readonly tenants: readonly [Tenant, Tenant];
  /** What was sent so far. */
  readonly operations: Operation[];
  /** No tool is done any more until what it returns is called. */
  readonly holdTools: () => () => void;
  /** One more visitor of each kind, who never pauses. */
  admit(): void;
  /** Every visitor finishes what they began; throws when that takes longer than 30 s. */
  settle(): Promise<void>;
  /** What the whole history shows to be broken. */
  violations(): Promise<{ invariant: string; detail: string }[]>;
  history(): Promise<History>;
  close: () => Promise<void>;
}

export async function openBusyService(
  crash?: Parameters<RestartableService['start']>[0],
): Promise<BusyService> {
  const sink = await openToolSink();
  const service = await createRestartableService({ EGRESS_ALLOW: sink.address });
  const operations: Operation[] = [];
  const server = await service.start(crash);
  const tenants = [
    await createTenant(server, sink, 'heron'),
    await createTenant(server, sink, 'magpie'),
  ] as const;
  const visitors: Visitor[] = [];

  async function history(): Promise<History> {
    return {
      operations,
      connections: visitors.flatMap(({ reader }) => reader?.connections ?? []),
      logs: await readLogs(service, tenants),
      deliveries: sink.deliveries,
      tools,
      canaries: Object.fromEntries(tenants.map(({ tenantId, canary }) => [tenantId, canary])),
    };
  }

  return {
    service,
    tenants,
    operations,
    history,
    holdTools: sink.hold,
    admit() {
      for (const kind of kinds) {
        const number = visitors.length;
        visitors.push(visit({ service, tenant: tenants[number % 2]!, operations }, kind, number));
      }
    },
    async settle() {
      for (const visitor of visitors) visitor.stop();
      await withinSettling(visitors);
    },
    async violations() {
      const seen = await history();
      return [...checkHistory(seen), ...wrongAnswers(seen)];
    },
    async close() {
      for (const { reader } of visitors) reader?.stop();
      await service.close();
      sink.close();
    },
  };
}

async function withinSettling(visitors: readonly Visitor[]): Promise<void> {
  const restless = new Set(visitors);
  const late = new AbortController();
  const deadline = setTimeout(settleMs, undefined, { signal: late.signal }).then(() => {
    const told = [...restless].map(({ name, reader }) => {
      const last = reader?.events.slice(-6).map((event) => JSON.stringify(event)) ?? [];
      return `${name} (${reader?.session}):\n  ${last.join('\n  ')}`;
    });
    throw new Error(`Not at rest ${settleMs} ms after the restart:\n${told.join('\n')}`);
  });
  const rest = visitors.map((visitor) => visitor.idle.then(() => restless.delete(visitor)));
  try {
    await Promise.race([Promise.all(rest), deadline]);
  } finally {
    late.abort();
    deadline.catch(() => {});
  }
}

/** Every log of the database, also of sessions that no visitor knows of. */
async function readLogs(
  service: RestartableService,
  tenants: readonly Tenant[],
): Promise<Map<string, readonly string[]>> {
  const { url } = await service.current();
  const database = new DatabaseSync(join(service.directory, 'parley.db'), { readOnly: true });
  const sessions = database.prepare('SELECT id, agent_id AS agentId, interface FROM sessions').all();
  const sound = database.prepare('PRAGMA integrity_check').get()?.['integrity_check'];
  if (sound !== 'ok') throw new Error(`The database is damaged: ${String(sound)}`);
  const logs = new Map<string, readonly string[]>();
  for (const { id, agentId, interface: of } of sessions) {
    const tenant = tenants.find((candidate) => candidate.agentId === agentId);
    if (!tenant) throw new Error(`Session ${String(id)} belongs to nobody.`);
    const session = String(id);
    // Nobody can read the log of a Chat conversation.
    logs.set(session, of === 'chat' ? storedLog(database, session) : await readLog(url, tenant, session));
  }
  database.close();
  return logs;
}

function storedLog(database: DatabaseSync, session: string): string[] {
  const events = database.prepare(`
    SELECT type, data, events.id, at FROM events JOIN sessions ON sessions.key = events.session
    WHERE sessions.id = ? ORDER BY idx`);
  return events.all(session).map(({ type, data, id, at }) => {
    const held = data === null ? {} : { data: JSON.parse(String(data)) as unknown };
    return JSON.stringify({ type, ...held, meta: { at, id } });
  });
}
