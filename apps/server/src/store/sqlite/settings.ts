import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { maxPageBytes } from '@parley/protocol/bounds';
import type { CompiledQuery, Kysely } from 'kysely';
import type {
  AgentRecord,
  Collection,
  KeyRecord,
  Page,
  SettingsStore,
  TenantRecord,
  ToolRecord,
} from '../settings-store.ts';
import type { GroupCommit } from './group-commit.ts';
import type { SessionRemoval } from './session-removal.ts';
import type { Database } from './database.ts';
import { fromColumns, toColumns, type Encoding } from './columns.ts';
import { recordMemory } from './record-memory.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { SettingsTable, Tables } from './tables.ts';

export function sqliteSettings(
  { connection, queries }: Database,
  commits: GroupCommit,
  removal: SessionRemoval,
): SettingsStore {
  const open = { connection, queries, commits };
  const keys: Encoding = { json: { allowedOrigins: [] }, boolean: ['allowMissingOrigin'] };
  const keyByDigest = connection.prepare('SELECT * FROM keys WHERE digest = ?');
  const keyOf = recordMemory<KeyRecord>(keys);
  const tenants = collection<TenantRecord>(open, 'tenants', { json: {}, boolean: [] });
  const secretCheck = connection.prepare('SELECT value FROM secret_check');
  const keepSecretCheck = connection.prepare(
    'INSERT INTO secret_check (key, value) VALUES (1, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  return {
    tenants: {
      ...tenants,
      async remove(id) {
        await removal.removeOfTenant(id);
        const removed = await tenants.remove(id);
        // A session may have been opened between the last page and the tenant's end.
        await removal.removeOfTenant(id);
        return removed;
      },
    },
    agents: collection<AgentRecord>(open, 'agents', { json: { config: null }, boolean: ['active'] }),
    keys: {
      ...collection<KeyRecord>(open, 'keys', keys),
      async byDigest(digest) {
        const row = keyByDigest.get(digest);
        return row === undefined ? null : keyOf(row);
      },
    },
    tools: collection<ToolRecord>(open, 'tools', { json: { config: null }, boolean: [] }),
    secretCheck: {
      async get() {
        const row = secretCheck.get();
        return row === undefined ? null : String(row['value']);
      },
      set: (check) => commits.write(() => void keepSecretCheck.run(check)),
    },
  };
}

interface Open {
  readonly connection: DatabaseSync;
  readonly queries: Kysely<Tables>;
  readonly commits: GroupCommit;
}

function collection<T extends { readonly id: string; readonly createdAt: string }>(
  { connection, queries, commits }: Open,
  table: SettingsTable,
  encoding: Encoding,
): Collection<T> {
  // Every request asks for an agent by its id: prepared once, where a compiled query costs five times the look-up.
  const byId = connection.prepare(`SELECT * FROM ${table} WHERE id = ?`);
  const recordOf = recordMemory<T>(encoding);
  /** Lists from the start by the columns they are filtered by: every turn asks for its agent's tools. */
  const firstPages = new Map<string, StatementSync>();

  function compiledList(
    columns: Record<string, unknown>,
    after: string | null,
    limit: number,
  ): CompiledQuery {
    let query = queries
      .selectFrom(table)
      .selectAll()
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit + 1);
    for (const [column, value] of Object.entries(columns)) {
      query = query.where(column, value === null ? 'is' : '=', value);
    }
    if (after === null) return query.compile();
    const { createdAt, id } = decodeCursor(after);
    return query
      .where((where) => where(where.refTuple('created_at', 'id'), '>', where.tuple(createdAt, id)))
      .compile();
  }

  function page(rows: Iterable<Record<string, SQLOutputValue>>, limit: number): Page<T> {
    const items: T[] = [];
    let bytes = 0;
    for (const row of rows) {
      for (const value of Object.values(row)) bytes += typeof value === 'string' ? value.length : 0;
      const last = items.at(-1);
      if (last !== undefined && (items.length === limit || bytes > maxPageBytes))
        return { items, next: encodeCursor(last) };
      items.push(recordOf(row));
    }
    return { items, next: null };
  }

  return {
    async insert(record) {
      const query = queries.insertInto(table).values(toColumns(record, encoding)).compile();
      await commits.write(() => run(connection, query));
    },

    async get(id) {
      const row = byId.get(id);
      return row === undefined ? null : recordOf(row);
    },

    async list({ where, after, limit }) {
      const columns = toColumns(where, encoding);
      const values = Object.values(columns) as SQLInputValue[];
      if (after === null && !values.includes(null)) {
        const names = Object.keys(columns).join();
        const first = firstPages.get(names) ?? connection.prepare(compiledList(columns, null, limit).sql);
        firstPages.set(names, first);
        return page(first.iterate(...values, limit + 1), limit);
      }
      const { sql, parameters } = compiledList(columns, after, limit);
      return page(connection.prepare(sql).iterate(...(parameters as readonly SQLInputValue[])), limit);
    },

    async update(id, fields) {
      const columns = toColumns(fields, encoding);
      if (Object.keys(columns).length === 0) return this.get(id);
      const query = queries.updateTable(table).set(columns).where('id', '=', id).returningAll().compile();
      const row = await commits.write(() => run(connection, query)[0]);
      return row === undefined ? null : fromColumns<T>(row, encoding);
    },

    async remove(id) {
      const query = queries.deleteFrom(table).where('id', '=', id).returning('id').compile();
      return commits.erase(() => run(connection, query).length > 0);
    },
  };
}

/** At once, unlike Kysely's `execute`: a shared transaction must not wait for anything. */
function run(connection: DatabaseSync, { sql, parameters }: CompiledQuery): Record<string, SQLOutputValue>[] {
  return connection.prepare(sql).all(...(parameters as readonly SQLInputValue[]));
}
