import { sql } from 'kysely';
import type { SourcePages } from './knowledge-store.ts';
import type { QueryEngine } from './query-engine.ts';

export function createSourcePages({ queries, read }: QueryEngine): SourcePages {
  return {
    async listPages(sourceId, { after, limit }) {
      const rows = await read(
        sql`
          SELECT place, title, address, language, passages FROM pages
          WHERE source_id = ${sourceId} AND place > ${after} ORDER BY place LIMIT ${limit}`.compile(queries),
      );
      // The columns are named as the fields.
      return rows as unknown as Awaited<ReturnType<SourcePages['listPages']>>;
    },

    async getLastReading(sourceId) {
      const last = sql`SELECT reading FROM pages WHERE source_id = ${sourceId} ORDER BY reading DESC LIMIT 1`;
      const [row] = await read(last.compile(queries));
      return row ? Number(row['reading']) : null;
    },

    async listTitles(sourceId, limit) {
      const rows = await read(
        sql`
          SELECT pages.place, passages.title FROM passages JOIN pages ON pages.key = passages.page
          WHERE pages.source_id = ${sourceId} ORDER BY pages.key, passages.position LIMIT ${limit}`.compile(
          queries,
        ),
      );
      return rows as unknown as Awaited<ReturnType<SourcePages['listTitles']>>;
    },
  };
}
