import { sql } from 'kysely';
import type { Passage } from './passage.ts';
import type { QueryEngine } from './query-engine.ts';
import type { PassageVector, VectorStore } from './vector-store.ts';

export function createVectors({ queries, read }: QueryEngine): Omit<VectorStore, 'saveVectors'> {
  return {
    async listUnembedded(sourceId, { model, after, pages }) {
      const places = await read(
        sql`
          SELECT place FROM pages WHERE source_id = ${sourceId} AND place > ${after}
          ORDER BY place LIMIT ${pages}`.compile(queries),
      );
      const last = places.at(-1)?.['place'];
      if (typeof last !== 'string') return { passages: [], next: null };
      // The columns are named as the fields. Asked for each passage alone: a join with all vectors reads all passages, too.
      const passages = (await read(
        sql`
          SELECT passages.key AS key, passages.title AS title, text
          FROM pages JOIN passages ON passages.page = pages.key
          WHERE pages.source_id = ${sourceId} AND place > ${after} AND place <= ${last}
            AND (SELECT model FROM passage_vectors WHERE passage = passages.key) IS DISTINCT FROM ${model}
          ORDER BY place, position`.compile(queries),
      )) as unknown as Pick<Passage, 'key' | 'title' | 'text'>[];
      return { passages, next: places.length < pages ? null : last };
    },

    listVectors: async ({ agentId, model }, { after, limit }) =>
      (await read(
        sql`
          SELECT passage AS key, vector FROM passage_vectors
          WHERE agent_id = ${agentId} AND model = ${model} AND passage > ${after}
          ORDER BY passage LIMIT ${limit}`.compile(queries),
      )) as unknown as PassageVector[],
  };
}
