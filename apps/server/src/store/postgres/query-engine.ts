import { sql } from 'kysely';
import type { QueryEngine } from '../query-engine.ts';
import { clockFunction } from './clock.ts';
import type { Database } from './database.ts';

/** U+0000 as JSON escapes it. Behind an odd number of backslashes, `u0000` is what somebody wrote. */
const escapedNul = String.raw`(?:^|[^\\])(?:\\\\)*\\u0000`;

export function postgresQueryEngine({ queries, run, now }: Database): QueryEngine {
  const write: QueryEngine['write'] = (query, ...also) => {
    const rest = also.filter((each) => each !== undefined);
    if (rest.length === 0) return run(query);
    const isWritten = sql`EXISTS (SELECT FROM written)`;
    const others = rest.map((each, index) => sql`, ${sql.ref(`also${index}`)} AS (${each(isWritten)})`);
    const all = sql`
      WITH written AS (${{ toOperationNode: () => query.query }})${sql.join(others, sql``)} SELECT * FROM written`;
    return run(all.compile(queries));
  };

  return {
    queries,
    read: run,
    write,
    erase: write,
    now: () => sql`(SELECT ${sql.ref(clockFunction.name)}(${now()}))`,
    locked: sql`FOR UPDATE`,
    messagesWith({ terms, beginning }, { since, before, limit, order }) {
      const words = [
        ...terms.map((term) => `'${term}'`),
        ...(beginning === null ? [] : [`'${beginning}':*`]),
      ];
      return sql`
        SELECT key FROM searched_messages
        WHERE term_vector @@ ${words.join(' & ')}::tsquery AND key >= ${since} AND key < ${before}
        ORDER BY key ${sql.raw(order === 'latest' ? 'DESC' : 'ASC')} LIMIT ${limit}`;
    },
    inputRequests: sql`events`,
    contains: (column, text) => sql`strpos(${sql.ref(column)}, ${text}) > 0`,
    // What JSON can say and text cannot hold is left out.
    jsonText: (column, ...path) => {
      const data = sql.ref(column);
      return sql`CASE WHEN ${data} !~ ${escapedNul} THEN ${data}::json #>> ${path.map(String)}::text[] END`;
    },
  };
}
