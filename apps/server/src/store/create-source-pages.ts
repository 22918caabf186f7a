import { sql } from 'kysely';
import type { SourcePages } from './knowledge-store.ts';
import type { QueryEngine } from './query-engine.ts';

/** Of a row of `pages`: it goes on with a page that is too long for one row, and whose place is its own but for a number. */
export const isFurtherPart = sql`(place LIKE '% %' AND EXISTS (
  SELECT 1 FROM pages AS first
  WHERE first.source_id = pages.source_id AND first.place = rtrim(rtrim(pages.place, '0123456789'))
))`;

export function createSourcePages({ queries, read }: QueryEngine): SourcePages {
  return {
    async listPages(sourceId, { after, limit }) {
      const rows = await read(
        sql`
          SELECT place, title, address, language, (
            SELECT sum(passages) FROM pages AS part
            WHERE part.source_id = pages.source_id AND part.place >= pages.place AND part.place < pages.place || '!'
          ) AS passages
          FROM pages WHERE source_id = ${sourceId} AND place > ${after} AND NOT ${isFurtherPart}
          ORDER BY place LIMIT ${limit}`.compile(queries),
      );
      // The columns are named as the fields.
      const found = rows as unknown as Awaited<ReturnType<SourcePages['listPages']>>;
      return found.map((page) => ({ ...page, passages: Number(page.passages) }));
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
