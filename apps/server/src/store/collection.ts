import { maxPageBytes } from '@parley/protocol/bounds';
import { type CompiledQuery, sql } from 'kysely';
import { auditEntry } from './create-audit.ts';
import { type Encoding, fromColumns, toColumns } from './columns.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { QueryEngine } from './query-engine.ts';
import { recordMemory } from './record-memory.ts';
import type { Collection } from './settings-store.ts';
import type { SettingsTable } from './tables.ts';

/** The records of one table of settings, in any engine. */
export function createCollection<T extends { readonly id: string; readonly createdAt: string }>(
  { queries, read, write, erase }: QueryEngine,
  table: SettingsTable,
  encoding: Encoding,
): Collection<T> {
  const recordOf = recordMemory<T>(encoding);
  const bytes = sql.join(
    encoding.long.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`),
    sql` + `,
  );

  /** One row more than asked for, cut where the bytes of a page are reached, each with the id that follows it. */
  function pageQuery(columns: Record<string, unknown>, after: string | null, limit: number): CompiledQuery {
    let rows = queries
      .selectFrom(table)
      .selectAll()
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit + 1);
    for (const [column, value] of Object.entries(columns)) {
      rows = rows.where(column, value === null ? 'is' : '=', value);
    }
    if (after !== null) {
      const { createdAt, id } = decodeCursor(after);
      rows = rows.where((where) =>
        where(where.refTuple('created_at', 'id'), '>', where.tuple(createdAt, id)),
      );
    }
    const order = sql`(ORDER BY created_at, id)`;
    const measured = queries
      .selectFrom(rows.as('rows'))
      .selectAll()
      .select(sql`sum(${bytes}) OVER ${order}`.as('page_bytes'))
      .select(sql`row_number() OVER ${order}`.as('page_row'))
      .select(sql`lead(id) OVER ${order}`.as('page_next'));
    return queries
      .selectFrom(measured.as('measured'))
      .selectAll()
      .where((where) => where.or([where('page_row', '=', 1), where('page_bytes', '<=', maxPageBytes)]))
      .orderBy('created_at')
      .orderBy('id')
      .compile();
  }

  return {
    async insert(record, change) {
      const query = queries.insertInto(table).values(toColumns(record, encoding)).returning('id').compile();
      await write(query, change && auditEntry(change));
    },

    async get(id) {
      const [row] = await read(queries.selectFrom(table).selectAll().where('id', '=', id).compile());
      return row === undefined ? null : recordOf(row);
    },

    async list({ where, after, limit }) {
      const rows = await read(pageQuery(toColumns(where, encoding), after, limit));
      let next: string | null = null;
      const items = rows
        .slice(0, limit)
        .map(({ page_bytes: _bytes, page_row: _row, page_next: following, ...row }) => {
          const item = recordOf(row);
          next = following === null ? null : encodeCursor(item);
          return item;
        });
      return { items, next };
    },

    async update(id, fields, change, before = {}) {
      const columns = toColumns(fields, encoding);
      if (Object.keys(columns).length === 0) return this.get(id);
      let query = queries.updateTable(table).set(columns).where('id', '=', id);
      for (const [column, value] of Object.entries(toColumns(before, encoding)))
        query = query.where(column, value === null ? 'is' : '=', value);
      const [row] = await write(query.returningAll().compile(), change && auditEntry(change));
      return row === undefined ? null : fromColumns<T>(row, encoding);
    },

    async remove(id, change) {
      const query = queries.deleteFrom(table).where('id', '=', id).returning('id').compile();
      return (await erase(query, change && auditEntry(change))).length > 0;
    },
  };
}
