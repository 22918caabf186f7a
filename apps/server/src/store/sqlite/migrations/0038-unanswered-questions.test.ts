import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { testFolder } from '../../../testing/test-service.ts';
import { dayMs } from '../../day-ms.ts';
import { nodeSqliteDialect } from '../kysely-dialect.ts';
import { openSqliteStore } from '../sqlite-store.ts';
import { up } from './0038-unanswered-questions.ts';

test('what waits for an answer already counts on the day that it was asked last, drafts left out', async () => {
  const path = join(testFolder(), 'earlier.db');
  await (await openSqliteStore({ path })).close();
  const connection = new DatabaseSync(path);
  connection.exec(`
    DROP TABLE unanswered_questions;
    INSERT INTO tenants (id, name, created_at) VALUES ('tenant', 'Firm', '');
    INSERT INTO agents (id, tenant_id, name, active, config, created_at) VALUES ('agent', 'tenant', 'Ada', 1, '{}', '')`);
  const session = connection.prepare(`
    INSERT INTO sessions (id, tenant_id, agent_id, interface, status, next_index, next_position, epoch, lease_until,
      created_at, active_at, state)
    VALUES (?, 'tenant', ?, 'sessions', 'open', 0, 0, 1, 0, 0, 0, '{}')`);
  for (const agentId of ['agent', 'agent', 'agent.draft', 'gone']) session.run(crypto.randomUUID(), agentId);
  const question = connection.prepare(`
    INSERT INTO open_questions (session, agent_id, digest, question, turn, asked, at) VALUES (?, ?, ?, 'x', 0, ?, ?)`);
  question.run(1, 'agent', 'milk', 2, 5 * dayMs);
  question.run(1, 'agent', 'bread', 1, 6 * dayMs - 1);
  question.run(2, 'agent', 'milk', 1, 6 * dayMs);
  question.run(3, 'agent', 'milk', 7, 5 * dayMs);
  question.run(4, 'gone', 'milk', 7, 5 * dayMs);
  await up(new Kysely<unknown>({ dialect: nodeSqliteDialect(connection) }));
  connection.close();

  const store = await openSqliteStore({ path });
  const counted = async (day: number) =>
    (await store.readUsage({ agentIds: ['agent', 'gone'], from: day * dayMs, before: (day + 1) * dayMs }))
      .unanswered;
  expect([await counted(5), await counted(6)]).toEqual([
    [{ agentId: 'agent', count: 3 }],
    [{ agentId: 'agent', count: 1 }],
  ]);
  await store.close();
});
