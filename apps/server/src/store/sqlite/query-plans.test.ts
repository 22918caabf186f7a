import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testFolder } from '../../testing/test-service.ts';
import { fill, growingTables, hotCalls } from '../contract/hot-calls.ts';
import { openSqliteStore } from './sqlite-store.ts';

test('no statement of the store scans a table that grows', async () => {
  const path = join(testFolder(), 'test.db');
  const store = await openSqliteStore({ path });
  await fill(store);
  await store.close();
  // Without statistics, as the service keeps none: the plans are those of a database of any size.
  const connection = new DatabaseSync(path);
  onTestFinished(() => connection.close());

  // Whatever the store prepares as it opens, and whatever its calls compile.
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
  const again = await openSqliteStore({ path });
  for (const call of Object.values(hotCalls)) await call(again, 0);
  const statements = new Set(prepare.mock.calls.map(([statement]) => statement));
  for (const call of Object.values(hotCalls)) await call(again, 1);
  await again.close();
  // What varies is no part of a text: each would be kept, here and by every connection of PostgreSQL.
  const added = prepare.mock.calls.map(([statement]) => statement).filter((each) => !statements.has(each));
  expect(added).toEqual([]);
  prepare.mockRestore();

  const steps = [...statements].flatMap((statement) =>
    connection
      .prepare(`EXPLAIN QUERY PLAN ${statement}`)
      .all()
      .map(({ detail }) => ({ detail: String(detail), statement })),
  );
  const scans = steps.filter(({ detail }) => growing.has(/^SCAN (\w+)/.exec(detail)?.[1] ?? ''));
  expect(statements.size).toBeGreaterThan(100);
  expect(scans.filter(({ detail }) => !exceptions.includes(detail))).toEqual([]);
  // A webhook may have given up much before the time that is asked for, which a search of all it gave up would read.
  const sinceThen = 'INDEX failed_deliveries (webhook_id=? AND created_at>?)';
  expect(steps.filter(({ detail }) => detail.endsWith(sinceThen))).toHaveLength(1);
});

const growing: ReadonlySet<string> = new Set(growingTables);

/** An index of only those rows that something is still to be done with. */
const exceptions = [
  'SCAN sessions USING COVERING INDEX removed_sessions',
  'SCAN unsearched_events',
  // Of the last hour, when a tenant is removed.
  'SCAN files USING INDEX unbound_files',
];
