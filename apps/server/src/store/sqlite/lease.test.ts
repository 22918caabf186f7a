import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { testFolder } from '../../testing/test-service.ts';
import { openDatabase } from './database.ts';
import { prepareLeases } from './lease.ts';

test('no lease is looked for by reading every session', async () => {
  const { connection } = await openDatabase(join(testFolder(), 'leases.db'));
  const prepare = vi.spyOn(connection, 'prepare');
  prepareLeases(connection, Date.now);
  const statements = prepare.mock.calls.map(([sql]) => sql);
  prepare.mockRestore();
  expect(statements.length).toBeGreaterThan(3);
  for (const sql of statements) {
    const plan = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
    expect(plan.map(({ detail }) => detail)).not.toContainEqual(expect.stringMatching(/^SCAN sessions/));
  }
  connection.close();
});
