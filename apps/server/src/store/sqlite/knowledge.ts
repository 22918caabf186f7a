import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Passage } from '../passage.ts';
import type { KnowledgeStore, NewPage, SourceClaims, SourcePages } from '../knowledge-store.ts';
import type { VectorStore } from '../vector-store.ts';
import { scopedTerms, termCounter } from '../scoped-terms.ts';
import type { GroupCommit } from './group-commit.ts';
import type { TermIndex } from './term-index.ts';

/** Terms whose counts are kept: some megabytes. */
const maxCounts = 20_000;

export function prepareKnowledge(
  connection: DatabaseSync,
  commits: GroupCommit,
  termIndex: TermIndex,
): Omit<KnowledgeStore, keyof SourceClaims | keyof SourcePages | keyof VectorStore> {
  const source = connection.prepare('SELECT 1 FROM sources WHERE id = ?');
  const put = connection.prepare(`
    INSERT INTO pages (source_id, agent_id, place, title, address, language, version, reading, passages, terms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (source_id, place) DO UPDATE SET
      title = excluded.title, address = excluded.address, language = excluded.language, version = excluded.version,
      reading = excluded.reading, passages = excluded.passages, terms = excluded.terms
    RETURNING key`);
  const clear = connection.prepare('DELETE FROM passages WHERE page = ?');
  const add = connection.prepare(
    'INSERT INTO passages (page, position, title, text, terms) VALUES (?, ?, ?, ?, ?)',
  );
  /** A space is the first of the characters that places have, and `!` is the next one: between are the page and its parts. */
  const keep = connection.prepare(`
    UPDATE pages SET reading = :reading WHERE source_id = :sourceId AND place >= :place AND place < :place || '!'
      AND reading >= (SELECT reading FROM pages WHERE source_id = :sourceId AND place = :place)`);
  const remove = connection.prepare(`
    DELETE FROM pages WHERE key IN
      (SELECT key FROM pages WHERE source_id = ? AND reading < ? ORDER BY reading LIMIT ?) RETURNING passages`);
  const places = connection.prepare(`
    SELECT place, version FROM pages WHERE source_id = ? AND place > ? ORDER BY place LIMIT ?`);
  const totals = connection.prepare(`
    SELECT coalesce(sum(passages), 0) AS passages, coalesce(sum(terms), 0) AS terms FROM pages WHERE agent_id = ?`);
  const count = connection.prepare(`
    SELECT count(*) AS found FROM (SELECT 1 FROM passage_terms WHERE passage_terms MATCH ? LIMIT ?)`);
  /**
   * By term, what counting has found since passages last came or went. The words that all questions have are those that
   * take longest to count. One process owns the file, so nobody else adds any; what goes with its source changes `most`.
   */
  const counts = new Map<string, { readonly found: number; readonly most: number }>();

  function countOf(term: string, most: number): number {
    const known = counts.get(term);
    if (known?.most === most) return known.found;
    const found = Number(count.get(`"${term}"`, most)?.['found']);
    if (counts.size >= maxCounts) counts.clear();
    counts.set(term, { found, most });
    return found;
  }

  function changed(passages: { readonly added: number; readonly removed: number }): void {
    counts.clear();
    termIndex.changed(passages);
  }

  const statements = new Map<string, StatementSync>();
  /** One statement for each number of values that it is asked with. */
  const prepared = (text: string): StatementSync => {
    const statement = statements.get(text) ?? connection.prepare(text);
    statements.set(text, statement);
    return statement;
  };

  function save(page: NewPage): boolean {
    const { sourceId, agentId, passages } = page;
    if (!source.get(sourceId)) return false;
    const terms = passages.reduce((sum, passage) => sum + passage.terms.length, 0);
    const { place, title, address, language, version, reading } = page;
    const row = put.get(
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
    );
    const key = Number(row?.['key']);
    const removed = Number(clear.run(key).changes);
    for (const [position, passage] of passages.entries())
      add.run(key, position, passage.title, passage.text, scopedTerms(agentId, passage.terms).join(' '));
    changed({ added: passages.length, removed });
    return true;
  }

  return {
    savePage: (page) => commits.erase(() => save(page)),

    keepPage: (sourceId, place, reading) =>
      commits.write(() => Number(keep.run({ reading, sourceId, place }).changes) > 0),

    removePages: (sourceId, { reading, limit }) =>
      commits.erase(() => {
        const removed = remove.all(sourceId, reading, limit);
        const passages = removed.reduce((sum, row) => sum + Number(row['passages']), 0);
        changed({ added: 0, removed: passages });
        return removed.length;
      }),

    // The columns are named as the fields.
    listPlaces: async (sourceId, { after, limit }) =>
      places.all(sourceId, after, limit) as unknown as { place: string; version: string | null }[],

    async countKnowledge(agentId) {
      const row = totals.get(agentId);
      return { passages: Number(row?.['passages']), terms: Number(row?.['terms']) };
    },

    countTerms: async (agentId, terms, most) =>
      scopedTerms(agentId, terms).map((term) => countOf(term, most)),

    async findPassages(agentId, terms, limit) {
      const leading = terms.filter(({ leads }) => leads);
      if (leading.length === 0) return [];
      const scoped = scopedTerms(
        agentId,
        leading.map(({ term }) => term),
      );
      const countsOf = termCounter(
        scopedTerms(
          agentId,
          terms.map(({ term }) => term),
        ),
      );
      const each =
        'SELECT rowid AS passage, CAST(? AS INTEGER) AS weight FROM passage_terms WHERE passage_terms MATCH ?';
      const found = prepared(`
        SELECT passages.key, passages.page, passages.terms
        FROM (SELECT passage, sum(weight) AS weight FROM (${scoped.map(() => each).join(' UNION ALL ')})
            GROUP BY passage ORDER BY weight DESC, passage LIMIT ?) AS found
          JOIN passages ON passages.key = found.passage JOIN pages ON pages.key = passages.page
        WHERE pages.agent_id = ?
        ORDER BY found.weight DESC, passages.key`);
      const values = leading.flatMap(({ weight }, index) => [weight, `"${scoped[index]}"`]);
      return found.all(...values, limit, agentId).map((row) => ({
        key: Number(row['key']),
        page: Number(row['page']),
        ...countsOf(String(row['terms'])),
      }));
    },

    async getPassages(keys) {
      if (keys.length === 0) return [];
      const rows = prepared(`
        SELECT passages.key, passages.title, text, address, language
        FROM passages JOIN pages ON pages.key = passages.page
        WHERE passages.key IN (${keys.map(() => '?').join(', ')})`).all(...keys);
      // The columns are named as the fields.
      return rows as unknown as Passage[];
    },
  };
}
