import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { CompiledQuery, Kysely } from 'kysely';
import type { FileStore } from '../file-store.ts';
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
import type { Database } from './database.ts';
import { fromColumns, toColumns, type Encoding } from './columns.ts';
import { recordMemory } from './record-memory.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { SettingsTable, Tables } from './tables.ts';

export function sqliteSettings(
  { connection, queries }: Database,
  commits: GroupCommit,
  files: Pick<FileStore, 'expire'>,
): SettingsStore {
  const open = { connection, queries, commits };
  const keys: Encoding = { json: ['allowedOrigins'], boolean: ['allowMissingOrigin'] };
  const keyByDigest = connection.prepare('SELECT * FROM keys WHERE digest = ?');
  const keyOf = recordMemory<KeyRecord>(keys);
  const secretCheck = connection.prepare('SELECT value FROM secret_check');
  const keepSecretCheck = connection.prepare(
    'INSERT INTO secret_check (key, value) VALUES (1, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  const tenants = collection<TenantRecord>(open, 'tenants', { json: [], boolean: [] }, (id) =>
    queries.deleteFrom('sessions').where('tenant_id', '=', id).compile(),
  );
  return {
    tenants: {
      ...tenants,
      async remove(id) {
        const removed = await tenants.remove(id);
        await files.expire(0);
        return removed;
      },
    },
    agents: collection<AgentRecord>(open, 'agents', { json: ['config'], boolean: ['active'] }),
    keys: {
      ...collection<KeyRecord>(open, 'keys', keys),
      async byDigest(digest) {
        const row = keyByDigest.get(digest);
        return row === undefined ? null : keyOf(row);
      },
    },
    tools: collection<ToolRecord>(open, 'tools', { json: ['config'], boolean: [] }),
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
  alsoRemove?: (id: string) => CompiledQuery,
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

  function page(rows: Record<string, SQLOutputValue>[], limit: number): Page<T> {
    const items = rows.slice(0, limit).map(recordOf);
    const last = items.at(-1);
    return { items, next: rows.length > limit && last !== undefined ? encodeCursor(last) : null };
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
        return page(first.all(...values, limit + 1), limit);
      }
      const { sql, parameters } = compiledList(columns, after, limit);
      return page(connection.prepare(sql).all(...(parameters as readonly SQLInputValue[])), limit);
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
      return commits.erase(() => {
        if (alsoRemove !== undefined) run(connection, alsoRemove(id));
        return run(connection, query).length > 0;
      });
    },
  };
}

/** At once, unlike Kysely's `execute`: a shared transaction must not wait for anything. */
function run(connection: DatabaseSync, { sql, parameters }: CompiledQuery): Record<string, SQLOutputValue>[] {
  return connection.prepare(sql).all(...(parameters as readonly SQLInputValue[]));
}
