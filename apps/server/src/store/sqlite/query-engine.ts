import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { type CompiledQuery, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { QueryEngine, Row } from '../query-engine.ts';
import type { Database } from './database.ts';
import type { GroupCommit } from './group-commit.ts';

/** Runs compiled queries at once, unlike Kysely's `execute`: a shared transaction must not wait for anything. */
export function sqliteQueryEngine(
  { connection, queries }: Database,
  commits: GroupCommit,
  clock: Clock,
): QueryEngine {
  const prepared = new Map<string, StatementSync>();

  function run({ sql: text, parameters }: CompiledQuery): readonly Row[] {
    const statement = prepared.get(text) ?? connection.prepare(text);
    prepared.set(text, statement);
    return statement.all(...(parameters as readonly SQLInputValue[]));
  }

  return {
    queries,
    read: async (query) => run(query),
    write: (query) => commits.write(() => run(query)),
    erase: (query) => commits.erase(() => run(query)),
    now: () => sql`${clock()}`,
    jsonText: (column, key) => sql`${sql.ref(column)} ->> ${key}`,
  };
}
