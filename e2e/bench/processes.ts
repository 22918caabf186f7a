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
    await compareProcesses(onPostgres, onBoth);
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
    let used = 0;
    for (const [pid, ms] of await backendCpu(database)) used += ms - (backends.get(pid) ?? 0);
    costs.database.push(used / turns);
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

async function compareProcesses(
  onOne: () => Promise<void>,
  onBoth: (index: number) => Promise<void>,
): Promise<void> {
  const rates = { one: [] as number[], both: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    rates.one.push(await turnsPerSecond(onOne));
    rates.both.push(await turnsPerSecond(onBoth));
  }
  const [one, both] = Object.values(rates).map((list) => percentile(list, 0.5));
  process.stdout.write('Sessions turns on one PostgreSQL, 32 at once\n');
  row('one process', one!, '/s', '');
  row('two processes', both!, '/s', '');
  row('  beside one', both! / one!, 'times', 'at least 1.6 with cores to spare');
}

async function turnsPerSecond(task: (index: number) => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await inParallel(turns, 32, task);
  return turns / ((performance.now() - startedAt) / 1_000);
}

async function readElsewhere(writer: string, reader: string, key: string): Promise<void> {
  const delays: number[] = [];
  const startedAt = performance.now();
  await inParallel(liveStreams, liveStreams, async () => {
    const sessionId = await create(writer, key, 'stream');
    await readUntil(streamOf(reader, sessionId), key, '"session.waiting"', (line) => {
      if (!line.includes('"message.appended"')) return;
      const at = line.indexOf('"at":"') + 6;
      delays.push(Date.now() - Date.parse(line.slice(at, at + 24)));
    });
  });
  const perSecond = delays.length / ((performance.now() - startedAt) / 1_000);
  process.stdout.write(`${liveStreams} turns on one process, read on another, for ${seconds} s\n`);
  row('deltas a second', perSecond, '/s', '');
  row('append to reader, p50', percentile(delays, 0.5), 'ms', 'under 5');
  row('append to reader, p99', percentile(delays, 0.99), 'ms', 'under 50');
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
