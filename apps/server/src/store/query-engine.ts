import type { CompiledQuery, Kysely, RawBuilder } from 'kysely';
import type { MessageWords } from './conversation-store.ts';
import type { Tables } from './tables.ts';

/** A row as an engine gives it: JSON as text, a boolean as 0 or 1, whole numbers as numbers. */
export type Row = Record<string, string | number | bigint | Uint8Array | null>;

/** What is written in the transaction of a query that returns its rows, on the condition that there are any. */
export type Also = (written: RawBuilder<unknown>) => RawBuilder<unknown>;

/** How an engine runs the queries that are written once for all of them. */
export interface QueryEngine {
  /** Compiles for the engine's dialect, and is never executed itself. */
  readonly queries: Kysely<Tables>;
  readonly read: (query: CompiledQuery) => Promise<readonly Row[]>;
  readonly write: (query: CompiledQuery, ...also: readonly (Also | undefined)[]) => Promise<readonly Row[]>;
  /** `write` for what removes something. */
  readonly erase: (query: CompiledQuery, ...also: readonly (Also | undefined)[]) => Promise<readonly Row[]>;
  /** The time by the store's clock, in Unix milliseconds. */
  readonly now: () => RawBuilder<number>;
  /** After a query, keeps the rows that it gives from being changed until the statement is done; of one process nobody else writes. */
  readonly locked: RawBuilder<unknown>;
  /** The text in the JSON of a column, where these keys and places in lists lead to. */
  readonly jsonText: (column: string, ...path: readonly (string | number)[]) => RawBuilder<string | null>;
  /** Whether the text of a column has this in it. `LIKE` tries each of its places letter by letter, seconds for a thousand contacts. */
  readonly contains: (column: string, text: string) => RawBuilder<boolean>;
  /**
   * The keys of messages that have the words, from one of them until before another, the latest or the earliest first.
   * Terms are letters, digits and marks.
   */
  readonly messagesWith: (
    words: MessageWords,
    page: {
      readonly since: number;
      readonly before: number;
      readonly limit: number;
      readonly order: 'latest' | 'earliest';
    },
  ) => RawBuilder<unknown>;
  /** The table of events where only those are asked for that ask somebody: found by their own index, not in the log. */
  readonly inputRequests: RawBuilder<unknown>;
}
