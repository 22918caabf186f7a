import type { DatabaseSync } from 'node:sqlite';
import type { VectorStore } from '../vector-store.ts';
import type { GroupCommit } from './group-commit.ts';

export function prepareVectors(
  connection: DatabaseSync,
  commits: GroupCommit,
): Pick<VectorStore, 'saveVectors'> {
  const save = connection.prepare(`
    INSERT INTO passage_vectors (passage, agent_id, model, vector)
    SELECT passages.key, agent_id, ?, ? FROM passages JOIN pages ON pages.key = page WHERE passages.key = ?
    ON CONFLICT (passage) DO UPDATE SET model = excluded.model, vector = excluded.vector`);
  return {
    saveVectors: (model, vectors) =>
      commits.write(() => {
        for (const { key, vector } of vectors) save.run(model, vector, key);
      }),
  };
}
