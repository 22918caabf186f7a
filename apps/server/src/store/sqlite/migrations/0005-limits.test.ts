import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, test } from 'vitest';
import { testFolder } from '../../../testing/test-service.ts';
import { nodeSqliteDialect } from '../kysely-dialect.ts';
import { openSqliteStore } from '../sqlite-store.ts';
import { up as initial } from './0001-initial.ts';
import { up as visitors } from './0002-visitors.ts';
import { up as secretCheck } from './0003-secret-check.ts';
import { up as wake } from './0004-wake.ts';

const landed = {
  '0001-initial': { up: initial },
  '0002-visitors': { up: visitors },
  '0003-secret-check': { up: secretCheck },
  '0004-wake': { up: wake },
};

const formerDefaults = {
  sessionsPerMinute: 100_000,
  sessionsPerAddressPerMinute: 100_000,
  turnsPerSession: 10_000,
  streamsPerSession: 10_000,
  tokensPerDay: 10_000_000_000,
};

test('agents of an earlier version keep the limits that somebody chose, and follow the defaults otherwise', async () => {
  const file = join(testFolder(), 'earlier.db');
  const connection = new DatabaseSync(file);
  const db = new Kysely<unknown>({ dialect: nodeSqliteDialect(connection) });
  const getMigrations = async () => landed;
  expect((await new Migrator({ db, provider: { getMigrations } }).migrateToLatest()).error).toBeUndefined();
  const agents = {
    untouched: { maxSteps: 7, limits: formerDefaults },
    chosen: { limits: { ...formerDefaults, sessionsPerMinute: 5, turnsPerSession: 3, tokensPerDay: 70 } },
    bare: { maxSteps: 9 },
  };
  connection.exec(`INSERT INTO tenants VALUES ('tenant', 'Tenant', '2026-01-01')`);
  const insert = connection.prepare(
    `INSERT INTO agents (id, tenant_id, name, active, config, created_at) VALUES (?, 'tenant', 'Ada', 1, ?, '2026-01-01')`,
  );
  for (const [id, config] of Object.entries(agents)) insert.run(id, JSON.stringify(config));
  const now = Date.UTC(2026, 0, 1);
  const today = { windowMs: 86_400_000 };
  connection
    .prepare('INSERT INTO quotas (scope, window_ms, window, used) VALUES (?, ?, ?, 11)')
    .run('tokens:chosen', today.windowMs, Math.floor(now / today.windowMs));
  connection.exec(`
    INSERT INTO sessions (id, tenant_id, agent_id, interface, status, next_index, next_position, epoch, lease_until,
      created_at, active_at, state)
    VALUES ('session', 'tenant', 'chosen', 'sessions', 'open', 0, 1, 0, 0, 0, 0, '{}');
    INSERT INTO queue VALUES (1, 0, 'item', '{}', 0)`);
  connection.close();

  const store = await openSqliteStore({ path: file, clock: () => now });
  const config = async (id: string) => (await store.settings.agents.get(id))?.config;
  expect(await config('untouched')).toEqual({ maxSteps: 7, limits: {} });
  expect(await config('chosen')).toEqual({ limits: { sessionsPerMinute: 5, tokensPerDay: 70 } });
  expect(await config('bare')).toEqual({ maxSteps: 9 });
  expect(await store.readQuota('session', { ...today, scope: 'tokens:agent:chosen' })).toBe(11);
  expect(await store.listQueue('session')).toMatchObject([{ id: 'item' }]);
  await store.close();
});
