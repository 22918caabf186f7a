import { sql } from 'kysely';
import type { Passage } from './passage.ts';
import type { QueryEngine } from './query-engine.ts';
import type { PassageVector, VectorStore } from './vector-store.ts';

export function createVectors({ queries, read }: QueryEngine): Omit<VectorStore, 'saveVectors'> {
  return {
    listUnembedded: async (sourceId, { model, limit }) =>
      // The columns are named as the fields.
      (await read(
        sql`
          SELECT passages.key AS key, passages.title AS title, text
          FROM pages JOIN passages ON passages.page = pages.key
          WHERE pages.source_id = ${sourceId}
            AND NOT EXISTS (SELECT 1 FROM passage_vectors WHERE passage = passages.key AND model = ${model})
          ORDER BY pages.key, position LIMIT ${limit}`.compile(queries),
      )) as unknown as Pick<Passage, 'key' | 'title' | 'text'>[],

    listVectors: async ({ agentId, model }, { after, limit }) =>
      (await read(
        sql`
          SELECT passage AS key, vector FROM passage_vectors
          WHERE agent_id = ${agentId} AND model = ${model} AND passage > ${after}
          ORDER BY passage LIMIT ${limit}`.compile(queries),
      )) as unknown as PassageVector[],
  };
}
