import { sqlFunction } from './sql-function.ts';

/** The server's clock in Unix milliseconds, unless a test hands in its own: one for all processes. */
export const clockFunction = sqlFunction(
  'store_clock',
  `CREATE FUNCTION $name(p_now bigint) RETURNS bigint LANGUAGE sql VOLATILE AS $$
    SELECT coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
  $$`,
);

/** The clock as a value that an index can be searched for: asked once for the statement. `parameter` as in `$1`. */
export function clockValue(parameter: string): string {
  return `(SELECT ${clockFunction.name}(${parameter}))`;
}
