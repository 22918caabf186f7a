import { sql } from 'kysely';
import type { SourceClaims } from './knowledge-store.ts';
import { isFurtherPart } from './create-source-pages.ts';
import type { QueryEngine } from './query-engine.ts';

export function createSourceClaims({ queries, read, write, now }: QueryEngine): SourceClaims {
  return {
    async claimSource(sourceId, { owner, ttlMs }) {
      const claim = sql`
        INSERT INTO source_claims (source_id, owner, claimed_until)
        SELECT id, ${owner}, ${now()} + ${ttlMs} FROM sources WHERE id = ${sourceId}
        ON CONFLICT (source_id) DO UPDATE SET owner = excluded.owner, claimed_until = excluded.claimed_until
          WHERE source_claims.owner = excluded.owner OR source_claims.claimed_until < ${now()}
        RETURNING source_id`;
      return (await write(claim.compile(queries))).length > 0;
    },

    async releaseSource(sourceId, owner) {
      const release = queries
        .deleteFrom('source_claims')
        .where('source_id', '=', sourceId)
        .where('owner', '=', owner);
      await write(release.compile());
    },

    async countSource(sourceId) {
      const count = sql`
        SELECT count(*) FILTER (WHERE NOT ${isFurtherPart}) AS pages, coalesce(sum(passages), 0) AS passages
        FROM pages WHERE source_id = ${sourceId}`;
      const [row] = await read(count.compile(queries));
      return { pages: Number(row?.['pages']), passages: Number(row?.['passages']) };
    },
  };
}
