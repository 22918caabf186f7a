import type { Passage } from '../passage.ts';
import type { KnowledgeStore, SourceClaims, SourcePages } from '../knowledge-store.ts';
import type { VectorStore } from '../vector-store.ts';
import { scopedTerms } from '../scoped-terms.ts';
import type { Database } from './database.ts';
import { digestReader, passageDigest } from './passage-digest.ts';
import { placeholders, sqlFunction } from './sql-function.ts';

/** From here on counting costs more than a search may, and another process that changes a page hardly changes the count. */
const commonFrom = 200;
const rememberedMs = 600_000;
/** Terms whose counts are kept: some megabytes. */
const maxRemembered = 20_000;

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
    p_reading bigint, p_passages integer, p_terms integer, p_titles text[], p_texts text[], p_term_lists text[],
    p_digests text, p_lengths integer[]
  ) RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE v_page bigint;
  BEGIN
    -- What says that a source was read is written later and waits for the disk, and so for this page, too.
    PERFORM set_config('synchronous_commit', 'off', true);
    INSERT INTO pages (source_id, agent_id, place, title, address, language, version, reading, passages, terms)
    SELECT id, p_agent, p_place, p_title, p_address, p_language, p_version, p_reading, p_passages, p_terms
    FROM sources WHERE id = p_source FOR KEY SHARE
    ON CONFLICT (source_id, place) DO UPDATE SET
      title = excluded.title, address = excluded.address, language = excluded.language,
      version = excluded.version, reading = excluded.reading, passages = excluded.passages, terms = excluded.terms
    RETURNING key INTO v_page;
    IF v_page IS NULL THEN RETURN NULL; END IF;
    DELETE FROM passages WHERE page = v_page;
    WITH saved AS (
      INSERT INTO passages (page, position, title, text, terms)
      SELECT v_page, given.place, given.title, given.text, given.terms
      FROM unnest(p_titles, p_texts, p_term_lists) WITH ORDINALITY AS given (title, text, terms, place)
      ORDER BY given.place
      RETURNING key, position)
    INSERT INTO digested_passages (passage, page, agent_id, digest)
    SELECT saved.key, v_page, p_agent, substr(p_digests, 1 + (sum(given.length) OVER (ORDER BY saved.position))::integer - given.length, given.length)
    FROM saved JOIN unnest(p_lengths) WITH ORDINALITY AS given (length, place) ON given.place = saved.position;
    RETURN v_page;
  END $$`,
);
const save = `SELECT ${savePageFunction.name}(${placeholders(15)}) AS page`;

/**
 * The planner takes a table for small whose rows are kept outside of it, and would read all of them rather than the index:
 * of a thousand pages each question took a fifth of a second.
 */
const byIndex = 'STABLE SET enable_seqscan TO off';

/** In how many passages each term stands, in their order, counted up to `p_most`. */
export const countTermsFunction = sqlFunction(
  'count_terms',
  `CREATE FUNCTION $name(p_terms text[], p_most bigint) RETURNS TABLE (found bigint)
  LANGUAGE plpgsql ${byIndex} AS $$
  BEGIN
    RETURN QUERY SELECT (SELECT count(*) FROM
        (SELECT 1 FROM passages WHERE term_vector @@ asked.term::tsquery LIMIT p_most) AS few)
      FROM unnest(p_terms) WITH ORDINALITY AS asked (term, place) ORDER BY asked.place;
  END $$`,
);
const count = `SELECT found FROM ${countTermsFunction.name}(${placeholders(2)})`;

/** The passages of an agent whose terms weigh most together, the heaviest first. */
export const findPassagesFunction = sqlFunction(
  'find_passages',
  `CREATE FUNCTION $name(p_terms text[], p_weights integer[], p_limit bigint, p_agent text)
  RETURNS TABLE (key bigint, page bigint, digest text, terms text)
  LANGUAGE plpgsql ${byIndex} AS $$
  #variable_conflict use_column
  BEGIN
    RETURN QUERY WITH found AS MATERIALIZED (
        SELECT passages.key, sum(asked.weight) AS weight
        FROM unnest(p_terms, p_weights) AS asked (term, weight)
          JOIN passages ON passages.term_vector @@ asked.term::tsquery
        GROUP BY passages.key ORDER BY weight DESC, passages.key LIMIT p_limit)
      SELECT found.key, coalesce(counted.page, plain.page), counted.digest, plain.terms
      FROM found
        LEFT JOIN LATERAL (SELECT page, agent_id, digest FROM digested_passages WHERE passage = found.key OFFSET 0) AS counted
          ON true
        LEFT JOIN LATERAL (
          SELECT page, agent_id, passages.terms FROM passages JOIN pages ON pages.key = page
          WHERE passages.key = found.key AND counted.digest IS NULL OFFSET 0) AS plain
          ON true
      WHERE coalesce(counted.agent_id, plain.agent_id) = p_agent
      ORDER BY found.weight DESC, found.key;
  END $$`,
);
const find = `SELECT key, page, digest, terms FROM ${findPassagesFunction.name}(${placeholders(4)})`;

/** Digests of passages that were saved without: those that somebody is removing go without. */
const saveDigests = `
  INSERT INTO digested_passages (passage, page, agent_id, digest)
  SELECT passages.key, passages.page, $3, given.digest
  FROM unnest($1::bigint[], $2::text[]) AS given (passage, digest) JOIN passages ON passages.key = given.passage
  ORDER BY passages.key FOR KEY SHARE OF passages SKIP LOCKED
  ON CONFLICT (passage) DO NOTHING`;

/** A space is the first of the characters that places have, and `!` is the next one: between are the page and its parts. */
const keep = `
  UPDATE pages SET reading = $1 WHERE source_id = $2 AND place >= $3 AND place < $3 || '!'
    AND reading >= (SELECT reading FROM pages WHERE source_id = $2 AND place = $3)
  RETURNING key`;

/** Only its owner may; for another role the server does it now and then. */
const sortIn = `
  SELECT gin_clean_pending_list(oid) FROM pg_class
  WHERE oid = 'passage_terms'::regclass AND pg_has_role(relowner, 'USAGE')`;

interface AddedDigest {
  readonly key: number;
  readonly digest: string;
}

export function prepareKnowledge({
  query,
}: Pick<Database, 'query'>): Omit<
  KnowledgeStore,
  keyof SourceClaims | keyof SourcePages | keyof VectorStore
> {
  /** What counting has found of common terms: the words that all questions have are those that take longest to count. */
  const common = new Map<string, { readonly found: number; readonly most: number; readonly until: number }>();

  function remember(term: string, found: number, most: number): void {
    if (found < commonFrom) return;
    if (common.size >= maxRemembered) common.clear();
    common.set(term, { found, most, until: Date.now() + rememberedMs });
  }

  function remembered(term: string, most: number): number | null {
    const known = common.get(term);
    return known !== undefined && known.most === most && known.until > Date.now() ? known.found : null;
  }

  let isSaving = false;

  /** The answer is there: nobody waits for them, and the next search without them tries again. */
  function saveAdded(agentId: string, added: readonly AddedDigest[]): void {
    isSaving = true;
    query(saveDigests, [added.map(({ key }) => key), added.map(({ digest }) => digest), agentId])
      .catch(() => undefined)
      .finally(() => (isSaving = false));
  }

  return {
    async savePage({ passages, ...page }) {
      const { sourceId, agentId, place, title, address, language, version, reading } = page;
      const terms = passages.reduce((sum, passage) => sum + passage.terms.length, 0);
      const digests = passages.map((passage) => passageDigest(passage.terms));
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
        digests.join(''),
        digests.map(({ length }) => length),
      ]);
      return (row?.['page'] ?? null) !== null;
    },

    async keepPage(sourceId, place, reading) {
      const kept = await query(keep, [reading, sourceId, place]);
      return kept.length > 0;
    },

    async removePages(sourceId, { reading, limit }) {
      const removed = await query(
        `DELETE FROM pages WHERE key IN
          (SELECT key FROM pages WHERE source_id = $1 AND reading < $2 ORDER BY reading LIMIT $3) RETURNING key`,
        [sourceId, reading, limit],
      );
      // The last batch ends a reading, and what it wrote would slow down every search until as much again is written.
      if (removed.length < limit) await query(sortIn, []);
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
      const scoped = scopedTerms(agentId, terms);
      const known = scoped.map((term) => remembered(term, most));
      const asked = scoped.filter((_, place) => known[place] === null);
      if (asked.length === 0) return known.map(Number);
      const rows = await query(count, [asked.map(quoted), most]);
      const counted = rows.map(({ found }) => Number(found));
      for (const [place, term] of asked.entries()) remember(term, counted[place] ?? 0, most);
      return known.map((found) => found ?? counted.shift() ?? 0);
    },

    async findPassages(agentId, terms, limit) {
      const leading = terms.filter(({ leads }) => leads);
      if (leading.length === 0) return [];
      const mark = scopedTerms(agentId, ['']).join('');
      const read = digestReader(terms.map(({ term }) => term));
      const rows = await query(find, [
        leading.map(({ term }) => quoted(mark + term)),
        leading.map(({ weight }) => weight),
        limit,
        agentId,
      ]);
      const added: AddedDigest[] = [];
      const found = rows.map((row) => {
        const [key, page] = [Number(row['key']), Number(row['page'])];
        if (typeof row['digest'] === 'string') return { key, page, ...read(row['digest']) };
        const scoped = String(row['terms']).split(' ');
        const digest = passageDigest(scoped.map((term) => term.slice(mark.length)));
        added.push({ key, digest });
        return { key, page, ...read(digest) };
      });
      if (added.length > 0 && !isSaving) saveAdded(agentId, added);
      return found;
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
