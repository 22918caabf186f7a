import { sqlFunction } from './sql-function.ts';

/**
 * The rejection that takes longest to pass; no row when every scope has room. Each scope is locked until the transaction
 * ends, so that what is asked and what is counted is one step for all processes; in one order, so that no two wait for
 * each other.
 */
export const lockScopesFunction = sqlFunction(
  'lock_scopes',
  `CREATE FUNCTION $name(p_limits jsonb) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE v_scope text;
  BEGIN
    FOR v_scope IN
      SELECT DISTINCT l ->> 'scope' COLLATE "C" AS scope FROM jsonb_array_elements(p_limits) AS l ORDER BY scope
    LOOP
      PERFORM pg_advisory_xact_lock(hashtextextended(v_scope, 1));
    END LOOP;
  END $$`,
);

/** A log of admissions per scope and window: one is possible when the `limit`-th latest has left the window. */
export const rateLimitFunction = sqlFunction(
  'rate_limit',
  `CREATE FUNCTION $name(p_limits jsonb, p_now bigint, OUT scope text, OUT window_ms bigint, OUT retry_after_ms bigint)
  LANGUAGE plpgsql AS $$
  DECLARE
    v_limit record;
    v_decisive bigint;
    v_wait bigint;
  BEGIN
    retry_after_ms := 0;
    FOR v_limit IN SELECT * FROM jsonb_to_recordset(p_limits) AS l (scope text, "limit" bigint, "windowMs" bigint)
    LOOP
      IF v_limit."limit" <= 0 THEN
        v_wait := v_limit."windowMs";
      ELSE
        -- A clock that was set back must not lock anybody out for longer than the window.
        UPDATE admissions SET at = p_now, expires_at = p_now + v_limit."windowMs"
        WHERE admissions.scope = v_limit.scope AND admissions.window_ms = v_limit."windowMs" AND at > p_now;
        SELECT at INTO v_decisive FROM admissions
        WHERE admissions.scope = v_limit.scope AND admissions.window_ms = v_limit."windowMs"
        ORDER BY at DESC OFFSET v_limit."limit" - 1 LIMIT 1;
        v_wait := coalesce(v_decisive + v_limit."windowMs" - p_now, 0);
      END IF;
      IF v_wait > retry_after_ms THEN
        scope := v_limit.scope;
        window_ms := v_limit."windowMs";
        retry_after_ms := v_wait;
      END IF;
    END LOOP;
  END $$`,
);

export const recordAdmissionsFunction = sqlFunction(
  'record_admissions',
  `CREATE FUNCTION $name(p_limits jsonb, p_now bigint) RETURNS void LANGUAGE sql AS $$
    DELETE FROM admissions WHERE key IN (
      SELECT key FROM admissions WHERE expires_at <= p_now LIMIT 100 FOR UPDATE SKIP LOCKED
    );
    INSERT INTO admissions (scope, window_ms, at, expires_at)
    SELECT scope, "windowMs", p_now, p_now + "windowMs"
    FROM jsonb_to_recordset(p_limits) AS l (scope text, "windowMs" bigint);
  $$`,
);
