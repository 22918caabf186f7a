import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { testFolder } from '../../../testing/test-service.ts';
import { nodeSqliteDialect } from '../kysely-dialect.ts';
import { openSqliteStore } from '../sqlite-store.ts';
import { up } from './0012-turns.ts';

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.123Z`;

test('turns of the earlier version are what the log says of them', async () => {
  const path = join(testFolder(), 'earlier.db');
  await (await openSqliteStore({ path })).close();
  const connection = new DatabaseSync(path);
  connection.exec(`DROP TABLE turns`);
  const session = connection.prepare(`
    INSERT INTO sessions (id, tenant_id, agent_id, interface, status, next_index, next_position, epoch, lease_until,
      created_at, active_at, state)
    VALUES (?, 'tenant', 'agent', 'sessions', ?, 9, 0, 1, 0, 0, 0, ?)`);
  const event = connection.prepare(`
    INSERT INTO events (session, idx, type, data, id, at, concealed, item_id) VALUES (?, ?, ?, ?, ?, ?, 0, ?)`);
  const log = (key: number, events: readonly [type: string, sequence: number, usage?: object][]) => {
    for (const [index, [type, sequence, usage]] of events.entries()) {
      const item = type === 'turn.started' ? `item ${sequence}` : null;
      const data = JSON.stringify({ sequence, turnId: `turn_${sequence}`, usage });
      event.run(key, index, type, data, `${key} ${index}`, at(index), item);
    }
  };
  session.run('open', 'open', JSON.stringify({ turn: { sequence: 2 }, parked: { sequence: 1 } }));
  log(1, [
    ['session.started', 0],
    ['turn.started', 0],
    ['step.completed', 0, { inputTokens: 20, outputTokens: 3 }],
    ['step.completed', 0, { inputTokens: 30 }],
    ['turn.completed', 0],
    ['turn.started', 1],
    ['turn.completed', 1],
    ['turn.started', 2],
    ['message.appended', 2],
  ]);
  session.run('ended', 'completed', '{"turn":null,"parked":{"sequence":1}}');
  log(2, [
    ['turn.started', 0],
    ['turn.cancelled', 0],
    ['turn.started', 1],
    ['turn.completed', 1],
    ['turn.started', 2],
    ['turn.failed', 2],
    ['turn.started', 3],
  ]);
  await up(new Kysely<unknown>({ dialect: nodeSqliteDialect(connection) }));
  connection.close();

  const store = await openSqliteStore({ path });
  const query = { agentId: 'agent', from: 0, before: Number.MAX_SAFE_INTEGER, after: null, limit: 10 };
  const turns = (await store.listTurns(query)).items.toReversed();
  const of = (id: string) => turns.filter(({ sessionId }) => sessionId === id);
  expect(of('open')).toEqual([
    {
      sessionId: 'open',
      agentId: 'agent',
      sequence: 0,
      status: 'completed',
      itemId: 'item 0',
      author: 'visitor',
      configuration: null,
      modelId: null,
      firstIndex: 1,
      lastIndex: 4,
      inputTokens: 50,
      outputTokens: 3,
      startedAt: Date.parse(at(1)),
      firstDeltaAt: null,
      endedAt: Date.parse(at(4)),
    },
    expect.objectContaining({ sequence: 1, status: 'waiting', firstIndex: 5, lastIndex: 6 }),
    expect.objectContaining({ sequence: 2, status: 'running', lastIndex: null, endedAt: null }),
  ]);
  expect(of('ended').map(({ status }) => status)).toEqual(['cancelled', 'completed', 'failed', 'cancelled']);
  await store.close();
});
