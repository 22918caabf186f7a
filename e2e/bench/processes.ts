import { openPostgresDatabase, type PostgresDatabase } from '../src/postgres-database.ts';
import { createAgent, type RunningServer, startServer } from '../src/server.ts';
import { callJson, readUntil } from './http-client.ts';
import { cpuMs } from './process-cost.ts';
import { inParallel, percentile, row } from './statistics.ts';

const turns = 1_000;
const rounds = 5;
const liveStreams = 20;
const deltasPerSecond = 50;
const seconds = 10;
/** What the timers of a busy process add to every pause of the embedded model. */
const timerLatenessMs = 2;

const script = [
  {
    when: 'stream',
    steps: [
      { say: 'word ', repeat: deltasPerSecond * seconds, delayMs: 1_000 / deltasPerSecond - timerLatenessMs },
    ],
  },
  { steps: [{ say: 'word ', repeat: 50 }] },
];

/** What PostgreSQL costs beside SQLite, what a second process brings, and how far a reader on another process is behind. */
export async function benchProcesses(): Promise<void> {
  const database = await openPostgresDatabase({ fsync: true });
  const running: RunningServer[] = [];
  const start = async (environment: Record<string, string>) => {
    const server = await startServer({ environment: { LOG_LEVEL: 'info', ...environment } });
    running.push(server);
    return server;
  };
  const shared = { DATABASE_URL: database.url, SECRET_KEY_BASE: 's'.repeat(48) };
  try {
    const embedded = await start({});
    const first = await start(shared);
    const second = await start(shared);
    const { secretKey: embeddedKey } = await createAgent(embedded, script);
    const { secretKey: key } = await createAgent(first, script);
    const onSqlite = () => turn(embedded.url, embeddedKey);
    const onPostgres = () => turn(first.url, key);
    const onBoth = (index: number) => turn([first, second][index % 2]!.url, key);
    for (const task of [onSqlite, onPostgres, onBoth]) await inParallel(turns, 16, task);

    await compareEngines(database, { embedded, first, onSqlite, onPostgres });
    await compareProcesses(database, { servers: [first, second], onOne: onPostgres, onBoth });
    await readElsewhere(first.url, second.url, key);
  } finally {
    await Promise.all(running.map((server) => server.stop()));
    await database.close();
  }
}

interface Engines {
  readonly embedded: RunningServer;
  readonly first: RunningServer;
  readonly onSqlite: () => Promise<void>;
  readonly onPostgres: () => Promise<void>;
}

async function compareEngines(
  database: PostgresDatabase,
  { embedded, first, onSqlite, onPostgres }: Engines,
): Promise<void> {
  const costs = { sqlite: [] as number[], service: [] as number[], database: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    const sqlite = cpuMs(embedded.pid!);
    await inParallel(turns, 16, onSqlite);
    costs.sqlite.push((cpuMs(embedded.pid!) - sqlite) / turns);

    const service = cpuMs(first.pid!);
    const backends = await backendCpu(database);
    await inParallel(turns, 16, onPostgres);
    costs.service.push((cpuMs(first.pid!) - service) / turns);
    costs.database.push((await usedSince(database, backends)) / turns);
  }
  const [sqlite, service, backends] = Object.values(costs).map((list) => percentile(list, 0.5));
  process.stdout.write(`CPU of a Sessions turn, median of ${rounds} rounds of ${turns}, 16 at once\n`);
  row('on SQLite', sqlite!, 'ms CPU', '');
  row('on PostgreSQL', service!, 'ms CPU', '');
  row('  beside SQLite', service! / sqlite!, 'times', 'at most 2');
  row("  the database's own processes", backends!, 'ms CPU', '');
}

/** Milliseconds of CPU by the process of each connection. */
async function backendCpu(database: PostgresDatabase): Promise<Map<number, number>> {
  const backends = await database.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'",
  );
  return new Map(backends.map(({ pid }) => [pid, cpuMs(pid)]));
}

async function usedSince(database: PostgresDatabase, before: ReadonlyMap<number, number>): Promise<number> {
  let used = 0;
  for (const [pid, ms] of await backendCpu(database)) used += ms - (before.get(pid) ?? 0);
  return used;
}

interface Processes {
  readonly servers: readonly RunningServer[];
  readonly onOne: () => Promise<void>;
  readonly onBoth: (index: number) => Promise<void>;
}

/** The rates need cores for both; what a turn costs in all processes says the same where the bench fills the machine. */
async function compareProcesses(
  database: PostgresDatabase,
  { servers, onOne, onBoth }: Processes,
): Promise<void> {
  const rates = { one: [] as number[], both: [] as number[] };
  const costs = { one: [] as number[], both: [] as number[] };
  const measure = async (name: 'one' | 'both', task: (index: number) => Promise<void>) => {
    const own = () => servers.reduce((sum, { pid }) => sum + cpuMs(pid!), 0);
    const before = { own: own(), backends: await backendCpu(database) };
    rates[name].push(await turnsPerSecond(task));
    costs[name].push((own() - before.own + (await usedSince(database, before.backends))) / turns);
  };
  for (let round = 0; round < rounds; round += 1) {
    await measure('one', onOne);
    await measure('both', onBoth);
  }
  const [one, both] = Object.values(rates).map((list) => percentile(list, 0.5));
  const [costOfOne, costOfBoth] = Object.values(costs).map((list) => percentile(list, 0.5));
  process.stdout.write('Sessions turns on one PostgreSQL, 32 at once\n');
  row('one process', one!, '/s', '');
  row('two processes', both!, '/s', '');
  row('  beside one', both! / one!, 'times', 'at least 1.6 with cores to spare');
  row('CPU of a turn, service and database, one process', costOfOne!, 'ms CPU', '');
  row('two processes', costOfBoth!, 'ms CPU', '');
  row('  beside one', costOfBoth! / costOfOne!, 'times', 'at most 1.25: 2 / 1.6');
}

async function turnsPerSecond(task: (index: number) => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await inParallel(turns, 32, task);
  return turns / ((performance.now() - startedAt) / 1_000);
}

/**
 * Two readers of each session, one on the process that writes it. From a delta to its reader it takes the tick too, in
 * which deltas are gathered; what the writing process's own reader has is in the log.
 */
async function readElsewhere(writer: string, reader: string, key: string): Promise<void> {
  const made = { there: [] as number[], elsewhere: [] as number[] };
  const between: number[] = [];
  const startedAt = performance.now();
  await inParallel(liveStreams, liveStreams, async () => {
    const sessionId = await create(writer, key, 'stream');
    const follow = async (url: string, delays: number[]) => {
      const seen = new Map<string, number>();
      await readUntil(streamOf(url, sessionId), key, '"session.waiting"', (line) => {
        if (!line.includes('"message.appended"')) return;
        const now = performance.timeOrigin + performance.now();
        const { at, id } = (JSON.parse(line) as { meta: { at: string; id: string } }).meta;
        seen.set(id, now);
        delays.push(now - Date.parse(at));
      });
      return seen;
    };
    const [there, elsewhere] = await Promise.all([
      follow(writer, made.there),
      follow(reader, made.elsewhere),
    ]);
    for (const [id, at] of there) between.push(elsewhere.get(id)! - at);
  });
  const perSecond = between.length / ((performance.now() - startedAt) / 1_000);
  process.stdout.write(`${liveStreams} turns on one process, read on it and on another, for ${seconds} s\n`);
  row('deltas a second', perSecond, '/s', '');
  row('delta to reader, on the process that writes, p50', percentile(made.there, 0.5), 'ms', '');
  row('delta to reader, on another, p50', percentile(made.elsewhere, 0.5), 'ms', '');
  row('append to reader across processes, p50', percentile(between, 0.5), 'ms', 'under 5');
  row('append to reader across processes, p99', percentile(between, 0.99), 'ms', 'under 50');
}

async function turn(url: string, key: string): Promise<void> {
  const sessionId = await create(url, key, 'Hello');
  await readUntil(streamOf(url, sessionId), key, '"session.waiting"', () => undefined);
}

async function create(url: string, key: string, message: string): Promise<string> {
  const body = { message };
  const created = await callJson<{ sessionId: string }>(`${url}/parley/v1/session`, {
    method: 'POST',
    key,
    body,
  });
  return created.sessionId;
}

function streamOf(url: string, sessionId: string): string {
  return `${url}/parley/v1/session/${sessionId}/stream?soFar=0`;
}
