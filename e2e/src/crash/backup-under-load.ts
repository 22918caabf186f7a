import { execFile } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { checkHistory } from '../log-checker.ts';
import type { Operation, Violation } from '../log-checker/history.ts';
import { readLog } from './reader.ts';
import { createRestartableService } from './restartable-service.ts';
import { createTenant } from './tenant.ts';
import { openToolSink } from './tool-sink.ts';
import { visit } from './visitor.ts';

const program = join(import.meta.dirname, '../../../apps/server/src/cli/parley.ts');
const secret = 'parley.db.secret-key-base';
const kinds = ['plain', 'long', 'queue'] as const;
const restMs = 60_000;

interface BackupReport {
  readonly sessions: number;
  /** Messages that were accepted before the backup began. */
  readonly acknowledged: number;
  /** Messages that were on their way while it was taken. */
  readonly meanwhile: number;
  readonly backupMs: number;
  readonly violations: readonly Violation[];
}

/**
 * Takes a backup while visitors talk without a pause, after so many of their messages, restores it elsewhere, and looks
 * at the logs there once every session is at rest.
 */
export async function backupUnderLoad(options: {
  readonly visitors: number;
  readonly messages: number;
}): Promise<BackupReport> {
  const sink = await openToolSink();
  const service = await createRestartableService({});
  const restored = await createRestartableService({});
  try {
    const tenant = await createTenant(await service.start(), sink, 'heron');
    const operations: Operation[] = [];
    const talking = Array.from({ length: options.visitors }, (_, number) =>
      visit({ service, tenant, operations }, kinds[number % kinds.length]!, number),
    );
    await until(() => operations.length >= options.messages);
    const file = join(service.directory, 'copy.db');
    const began = performance.now();
    await parley(service.directory, 'backup', file);
    const done = performance.now();
    for (const visitor of talking) visitor.stop();
    await Promise.all(talking.map(({ idle }) => idle));
    for (const { reader } of talking) reader?.stop();
    await service.kill();

    await parley(restored.directory, 'restore', file);
    copyFileSync(join(service.directory, secret), join(restored.directory, secret));
    const { url } = await restored.start();
    const logs = new Map<string, readonly string[]>();
    for (const session of sessionsOf(restored.directory))
      await until(async () => {
        // A log also waits between two messages of a queue, so the queue is looked at first.
        const isQueueEmpty = queueLength(restored.directory, session) === 0;
        const log = await readLog(url, tenant, session);
        logs.set(session, log);
        return isQueueEmpty && (log.at(-1)?.includes('"session.waiting"') ?? false);
      });
    const seen = operations
      .filter(({ started }) => started < done)
      // What was sent while it was taken is in it or not.
      .map((operation) =>
        operation.ended < began ? operation : { ...operation, outcome: 'unknown' as const },
      );
    const acknowledged = seen.filter(({ outcome }) => outcome === 'ok').length;
    return {
      sessions: logs.size,
      acknowledged,
      meanwhile: seen.length - acknowledged,
      backupMs: Math.round(done - began),
      violations: checkHistory({
        operations: seen,
        connections: [],
        logs,
        deliveries: [],
        tools: {},
        canaries: {},
      }),
    };
  } finally {
    await service.close();
    await restored.close();
    sink.close();
  }
}

function sessionsOf(directory: string): string[] {
  using database = open(directory);
  return database
    .prepare('SELECT id FROM sessions')
    .all()
    .map(({ id }) => String(id));
}

function queueLength(directory: string, session: string): number {
  using database = open(directory);
  const row = database
    .prepare(
      'SELECT count(*) AS length FROM queue JOIN sessions ON sessions.key = queue.session WHERE sessions.id = ?',
    )
    .get(session);
  return Number(row?.['length']);
}

const open = (directory: string) => new DatabaseSync(join(directory, 'parley.db'), { readOnly: true });

async function parley(directory: string, ...words: string[]): Promise<void> {
  const environment = { ...process.env, DATABASE_URL: `file:${join(directory, 'parley.db')}` };
  await promisify(execFile)(process.execPath, [program, ...words], { env: environment });
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + restMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Not so after ${restMs} ms: ${String(condition)}`);
    await setTimeout(20);
  }
}
