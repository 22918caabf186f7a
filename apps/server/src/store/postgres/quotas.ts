import { sqlFunction } from './sql-function.ts';

/**
 * The rejection that takes longest to pass; none when every quota has room. A counter that an amount is added to is locked
 * until the transaction ends, in the order of all who lock several.
 */
export const quotaFunction = sqlFunction(
  'quota_rejection',
  `CREATE FUNCTION $name(p_quotas jsonb, p_now bigint, OUT scope text, OUT window_ms bigint, OUT retry_after_ms bigint)
  LANGUAGE plpgsql AS $$
  DECLARE
    v_quota record;
    v_used bigint;
    v_wait bigint;
  BEGIN
    retry_after_ms := 0;
    FOR v_quota IN
      SELECT * FROM jsonb_to_recordset(p_quotas)
        AS q (scope text, "limit" bigint, "windowMs" bigint, amount bigint)
      ORDER BY q.scope COLLATE "C", q."windowMs"
    LOOP
      IF v_quota.amount > 0 THEN
        PERFORM FROM quotas
        WHERE quotas.scope = v_quota.scope AND quotas.window_ms = v_quota."windowMs" FOR UPDATE;
        -- Nobody has counted there, or it was removed, as that of a window that is over, while it was waited for.
        IF NOT FOUND THEN
          INSERT INTO quotas (scope, window_ms, window_number, used)
          VALUES (v_quota.scope, v_quota."windowMs", p_now / v_quota."windowMs", 0)
          ON CONFLICT ON CONSTRAINT quotas_pkey DO UPDATE SET used = quotas.used;
        END IF;
      END IF;
      SELECT used INTO v_used FROM quotas
      WHERE quotas.scope = v_quota.scope AND quotas.window_ms = v_quota."windowMs"
        AND window_number = p_now / v_quota."windowMs";
      IF coalesce(v_used, 0) >= v_quota."limit" THEN
        v_wait := (p_now / v_quota."windowMs" + 1) * v_quota."windowMs" - p_now;
        IF v_wait > retry_after_ms THEN
          scope := v_quota.scope;
          window_ms := v_quota."windowMs";
          retry_after_ms := v_wait;
        END IF;
      END IF;
    END LOOP;
  END $$`,
);

/** Adds the amounts to counters that `quotaFunction` has locked. */
export const recordQuotasFunction = sqlFunction(
  'record_quotas',
  `CREATE FUNCTION $name(p_quotas jsonb, p_now bigint) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE v_opened boolean;
  BEGIN
    WITH counted AS (
      UPDATE quotas SET
        window_number = p_now / window_ms,
        used = CASE WHEN window_number = p_now / window_ms THEN used ELSE 0 END + q.amount
      FROM (
        SELECT scope AS q_scope, "windowMs" AS q_window_ms, sum(amount) AS amount
        FROM jsonb_to_recordset(p_quotas) AS q (scope text, "windowMs" bigint, amount bigint)
        WHERE amount > 0 GROUP BY scope, "windowMs"
      ) AS q
      WHERE scope = q_scope AND window_ms = q_window_ms
      RETURNING used = q.amount AS opened
    )
    SELECT bool_or(opened) INTO v_opened FROM counted;
    IF v_opened THEN
      DELETE FROM quotas WHERE (scope, window_ms) IN (
        SELECT scope, window_ms FROM quotas
        WHERE (window_number + 1) * window_ms <= p_now LIMIT 20 FOR UPDATE SKIP LOCKED
      );
    END IF;
  END $$`,
);
