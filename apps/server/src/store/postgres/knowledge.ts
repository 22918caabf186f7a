import type { KnowledgeStore, Passage, SourceClaims, SourcePages } from '../knowledge-store.ts';
import type { VectorStore } from '../vector-store.ts';
import { scopedTerms, unscopedTerms } from '../scoped-terms.ts';
import type { Database } from './database.ts';
import { placeholders, sqlFunction } from './sql-function.ts';

/** A term as a `tsquery` that looks for it and nothing else. */
const quoted = (term: string) => `'${term}'`;

/**
 * A page with its passages in place of what was there: its key, or null when its source is gone. Whoever saves the same page waits
 * at its row, and sees afterwards what to clear.
 */
export const savePageFunction = sqlFunction(
  'save_page',
  `CREATE FUNCTION $name(
    p_source text, p_agent text, p_place text, p_title text, p_address text, p_language text, p_version text,
    p_reading bigint, p_passages integer, p_terms integer, p_titles text[], p_texts text[], p_term_lists text[]
  ) RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE v_page bigint;
  BEGIN
    INSERT INTO pages (source_id, agent_id, place, title, address, language, version, reading, passages, terms)
    SELECT id, p_agent, p_place, p_title, p_address, p_language, p_version, p_reading, p_passages, p_terms
    FROM sources WHERE id = p_source FOR KEY SHARE
    ON CONFLICT (source_id, place) DO UPDATE SET
      title = excluded.title, address = excluded.address, language = excluded.language,
      version = excluded.version, reading = excluded.reading, passages = excluded.passages, terms = excluded.terms
    RETURNING key INTO v_page;
    IF v_page IS NULL THEN RETURN NULL; END IF;
    DELETE FROM passages WHERE page = v_page;
    INSERT INTO passages (page, position, title, text, terms)
    SELECT v_page, given.place, given.title, given.text, given.terms
    FROM unnest(p_titles, p_texts, p_term_lists) WITH ORDINALITY AS given (title, text, terms, place)
    ORDER BY given.place;
    RETURN v_page;
  END $$`,
);
const save = `SELECT ${savePageFunction.name}(${placeholders(13)}) AS page`;

export function prepareKnowledge({
  query,
}: Pick<Database, 'query'>): Omit<
  KnowledgeStore,
  keyof SourceClaims | keyof SourcePages | keyof VectorStore
> {
  return {
    async savePage({ passages, ...page }) {
      const { sourceId, agentId, place, title, address, language, version, reading } = page;
      const terms = passages.reduce((sum, passage) => sum + passage.terms.length, 0);
      const [row] = await query(save, [
        sourceId,
        agentId,
        place,
        title,
        address,
        language,
        version,
        reading,
        passages.length,
        terms,
        passages.map((passage) => passage.title),
        passages.map((passage) => passage.text),
        passages.map((passage) => scopedTerms(agentId, passage.terms).join(' ')),
      ]);
      return (row?.['page'] ?? null) !== null;
    },

    async keepPage(sourceId, place, reading) {
      const kept = await query(
        'UPDATE pages SET reading = $1 WHERE source_id = $2 AND place = $3 RETURNING key',
        [reading, sourceId, place],
      );
      return kept.length > 0;
    },

    async removePages(sourceId, { reading, limit }) {
      const removed = await query(
        `DELETE FROM pages WHERE key IN
          (SELECT key FROM pages WHERE source_id = $1 AND reading < $2 ORDER BY reading LIMIT $3) RETURNING key`,
        [sourceId, reading, limit],
      );
      return removed.length;
    },

    listPlaces: async (sourceId, { after, limit }) =>
      // The columns are named as the fields.
      (await query(
        'SELECT place, version FROM pages WHERE source_id = $1 AND place > $2 ORDER BY place LIMIT $3',
        [sourceId, after, limit],
      )) as unknown as { place: string; version: string | null }[],

    async countKnowledge(agentId) {
      const [row] = await query(
        `SELECT coalesce(sum(passages), 0)::bigint AS passages, coalesce(sum(terms), 0)::bigint AS terms
         FROM pages WHERE agent_id = $1`,
        [agentId],
      );
      return { passages: Number(row?.['passages']), terms: Number(row?.['terms']) };
    },

    async countTerms(agentId, terms, most) {
      const rows = await query(
        `SELECT (SELECT count(*) FROM
            (SELECT 1 FROM passages WHERE term_vector @@ asked.term::tsquery LIMIT $2) AS few) AS found
         FROM unnest($1::text[]) WITH ORDINALITY AS asked (term, place) ORDER BY asked.place`,
        [scopedTerms(agentId, terms).map(quoted), most],
      );
      return rows.map(({ found }) => Number(found));
    },

    async findPassages(agentId, terms, limit) {
      if (terms.length === 0) return [];
      const scoped = scopedTerms(
        agentId,
        terms.map(({ term }) => term),
      );
      const rows = await query(
        `SELECT passages.key, passages.page, passages.terms
         FROM (
           SELECT passages.key AS passage, sum(asked.weight) AS weight
           FROM unnest($1::text[], $2::integer[]) AS asked (term, weight)
             JOIN passages ON passages.term_vector @@ asked.term::tsquery
           GROUP BY passages.key ORDER BY weight DESC, passages.key LIMIT $3
         ) AS found JOIN passages ON passages.key = found.passage JOIN pages ON pages.key = passages.page
         WHERE pages.agent_id = $4
         ORDER BY found.weight DESC, passages.key`,
        [scoped.map(quoted), terms.map(({ weight }) => weight), limit, agentId],
      );
      return rows.map((row) => ({
        key: Number(row['key']),
        page: Number(row['page']),
        terms: unscopedTerms(String(row['terms'])),
      }));
    },

    getPassages: async (keys) =>
      // The columns are named as the fields.
      (await query(
        `SELECT passages.key, passages.title, text, address, language
         FROM passages JOIN pages ON pages.key = passages.page WHERE passages.key = ANY ($1::bigint[])`,
        [keys],
      )) as unknown as Passage[],
  };
}
