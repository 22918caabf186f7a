import { sqlFunction } from './sql-function.ts';

/**
 * The bytes that the files add to their session, or null when one of them is unknown, not complete, over its time, named
 * before, or somebody else's. They are locked until the transaction ends. `p_session` is null for one that is being
 * opened, and where the message may not have its files already.
 */
export const fileBytesFunction = sqlFunction(
  'file_bytes',
  `CREATE FUNCTION $name(
    p_ids text[], p_visitor text, p_session bigint, p_tenant text, p_agent text, p_now bigint
  ) RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE
    v_files bigint;
    v_bytes bigint;
  BEGIN
    SELECT count(*), coalesce(sum(CASE WHEN session IS NULL THEN size ELSE 0 END), 0) INTO v_files, v_bytes
    FROM (
      SELECT session, size FROM files
      WHERE id = ANY (p_ids) AND (session IS NULL AND expires_at > p_now OR session = p_session) AND complete = 1
        AND tenant_id = p_tenant AND agent_id = p_agent AND visitor IS NOT DISTINCT FROM p_visitor
      ORDER BY key FOR UPDATE
    ) AS named;
    RETURN CASE WHEN v_files = cardinality(p_ids) THEN v_bytes END;
  END $$`,
);
