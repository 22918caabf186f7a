import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { type CompiledQuery, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Also, QueryEngine, Row } from '../query-engine.ts';
import type { Database } from './database.ts';
import type { GroupCommit } from './group-commit.ts';

/** Statements that are kept prepared; others are parsed each time. */
export const maxPrepared = 2_000;

/** Runs compiled queries at once, unlike Kysely's `execute`: a shared transaction must not wait for anything. */
export function sqliteQueryEngine(
  { connection, queries }: Database,
  commits: GroupCommit,
  clock: Clock,
): QueryEngine {
  const prepared = new Map<string, StatementSync>();

  function run({ sql: text, parameters }: CompiledQuery): readonly Row[] {
    const statement = prepared.get(text) ?? connection.prepare(text);
    if (prepared.size < maxPrepared) prepared.set(text, statement);
    return statement.all(...(parameters as readonly SQLInputValue[]));
  }

  function runAll(query: CompiledQuery, also: readonly (Also | undefined)[]): readonly Row[] {
    const rows = run(query);
    if (rows.length > 0) for (const each of also) if (each) run(each(sql`true`).compile(queries));
    return rows;
  }

  return {
    queries,
    read: async (query) => commits.onDisk(run(query)),
    write: (query, ...also) => commits.write(() => runAll(query, also)),
    erase: (query, ...also) => commits.erase(() => runAll(query, also)),
    now: () => sql`${clock()}`,
    locked: sql``,
    messagesWith({ terms, beginning }, { since, before, limit, order }) {
      const words = [
        ...terms.map((term) => `"${term}"`),
        ...(beginning === null ? [] : [`"${beginning}" *`]),
      ];
      return sql`
        SELECT rowid AS key FROM message_terms
        WHERE message_terms MATCH ${words.join(' AND ')} AND rowid >= ${since} AND rowid < ${before}
        ORDER BY rowid ${sql.raw(order === 'latest' ? 'DESC' : 'ASC')} LIMIT ${limit}`;
    },
    inputRequests: sql`events INDEXED BY input_requests`,
    contains: (column, text) => sql`instr(${sql.ref(column)}, ${text}) > 0`,
    jsonText: (column, ...path) => {
      const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
      return sql`${sql.ref(column)} ->> ${`$${steps.join('')}`}`;
    },
  };
}
