import type { VectorStore } from '../vector-store.ts';
import type { Database } from './database.ts';

const save = `
  INSERT INTO passage_vectors (passage, agent_id, model, vector)
  SELECT passages.key, agent_id, $1, given.vector
  FROM unnest($2::bigint[], $3::bytea[]) AS given (passage, vector)
    JOIN passages ON passages.key = given.passage JOIN pages ON pages.key = page
  ORDER BY passages.key FOR KEY SHARE OF passages
  ON CONFLICT (passage) DO UPDATE SET model = excluded.model, vector = excluded.vector`;

export function prepareVectors({ query }: Pick<Database, 'query'>): Pick<VectorStore, 'saveVectors'> {
  return {
    async saveVectors(model, vectors) {
      const bytes = vectors.map(({ vector: { buffer, byteOffset, byteLength } }) =>
        Buffer.from(buffer, byteOffset, byteLength),
      );
      await query(save, [model, vectors.map(({ key }) => key), bytes]);
    },
  };
}
