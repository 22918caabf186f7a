import { sql, type Kysely } from 'kysely';

// What a commit does to the index is bounded: it neither merges by itself nor looks for every removed term in place.
// `term-index.ts` does both in steps.
const statements = [
  `INSERT INTO passage_terms (passage_terms, rank) VALUES ('secure-delete', 0)`,
  `INSERT INTO passage_terms (passage_terms, rank) VALUES ('automerge', 0)`,
  `INSERT INTO passage_terms (passage_terms, rank) VALUES ('crisismerge', 1000)`,
  `INSERT INTO passage_terms (passage_terms, rank) VALUES ('usermerge', 8)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
