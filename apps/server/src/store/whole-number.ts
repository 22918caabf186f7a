import { type RawBuilder, sql } from 'kysely';

/**
 * A number that varies, as a parameter of a statement whose other side does not say its type. Within the text, as
 * `sql.lit` writes it, each value would be a statement of its own, which every connection keeps.
 */
export const wholeNumber = (value: number | null): RawBuilder<number | null> =>
  sql`CAST(${value === null ? null : Math.round(value)} AS bigint)`;
