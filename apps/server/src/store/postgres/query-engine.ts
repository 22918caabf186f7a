import { sql } from 'kysely';
import type { QueryEngine } from '../query-engine.ts';
import { clockFunction } from './clock.ts';
import type { Database } from './database.ts';

export function postgresQueryEngine({ queries, run, now }: Database): QueryEngine {
  return {
    queries,
    read: run,
    write: run,
    erase: run,
    now: () => sql`(SELECT ${sql.ref(clockFunction.name)}(${now()}))`,
    // What JSON can say and text cannot hold is left out.
    jsonText: (column, key) => {
      const data = sql.ref(column);
      return sql`CASE WHEN ${data} NOT LIKE '%\\u0000%' THEN ${data}::json ->> ${key} END`;
    },
  };
}
