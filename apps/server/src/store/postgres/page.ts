import { maxPageBytes } from '@parley/protocol/bounds';

/**
 * The rows of an ordered query as far as a page goes: its first row, and those after it while `column` has at most
 * `maxPageBytes` together. Each row comes with the `order` of the one that follows it as `following`, or null.
 */
export function pageOf(rows: string, order: string, column: string): string {
  return `
    SELECT * FROM (
      SELECT rows.*, row_number() OVER page AS row_number, lead(${order}) OVER page AS following,
        sum(coalesce(octet_length(${column}), 0)) OVER page AS total
      FROM (${rows}) AS rows WINDOW page AS (ORDER BY ${order})
    ) AS measured
    WHERE row_number = 1 OR total <= ${maxPageBytes} ORDER BY ${order}`;
}
