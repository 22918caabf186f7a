import type { Limited, LimitStore } from '../limit-store.ts';
import { clockFunction, clockValue } from './clock.ts';
import type { Database } from './database.ts';
import { quotaFunction, recordQuotasFunction } from './quotas.ts';
import { sqlFunction } from './sql-function.ts';

/** Takes off a quota's counter what a session has reserved of it beyond `p_kept`. */
export const giveBackFunction = sqlFunction(
  'give_back',
  `CREATE FUNCTION $name(p_session sessions, p_kept bigint) RETURNS void LANGUAGE sql AS $$
    -- Only the window that it was counted in: a later one knows nothing of it.
    UPDATE quotas SET used = greatest(0, used - (p_session.reserved - p_kept))
    WHERE scope = p_session.reserved_scope AND window_ms = p_session.reserved_window_ms
      AND window_number = p_session.reserved_window
  $$`,
);

/** A quota's counter without what the session holds of it. */
export const usedFunction = sqlFunction(
  'quota_used',
  `CREATE FUNCTION $name(p_session bigint, p_scope text, p_window_ms bigint, p_now bigint) RETURNS bigint
  LANGUAGE sql STABLE AS $$
    SELECT greatest(0, coalesce((
      SELECT used FROM quotas
      WHERE scope = p_scope AND window_ms = p_window_ms AND window_number = p_now / p_window_ms
    ), 0) - coalesce((
      SELECT reserved FROM sessions
      WHERE key = p_session AND reserved_scope = p_scope AND reserved_window_ms = p_window_ms
        AND reserved_window = p_now / p_window_ms
    ), 0))
  $$`,
);

/** Counts every quota, or none and says which has no room. */
export const countQuotasFunction = sqlFunction(
  'count_quotas',
  `CREATE FUNCTION $name(
    p_now bigint, p_quotas jsonb, OUT scope text, OUT "windowMs" bigint, OUT "retryAfterMs" bigint
  ) LANGUAGE plpgsql AS $$
  DECLARE v_now bigint;
  BEGIN
    v_now := ${clockFunction.name}(p_now);
    SELECT r.scope, r.window_ms, r.retry_after_ms INTO scope, "windowMs", "retryAfterMs"
    FROM ${quotaFunction.name}(p_quotas, v_now) AS r;
    IF scope IS NULL THEN
      PERFORM ${recordQuotasFunction.name}(p_quotas, v_now);
    END IF;
  END $$`,
);

export function prepareLimits({ query, now }: Database): LimitStore {
  return {
    async countQuotas(quotas) {
      const [row] = await query(`SELECT * FROM ${countQuotasFunction.name}($1, $2)`, [
        now(),
        JSON.stringify(quotas),
      ]);
      // The columns are named after the record's fields.
      return row?.['scope'] == null ? null : ({ outcome: 'limited', ...row } as unknown as Limited);
    },
    async readQuota(sessionId, { scope, windowMs }) {
      const [row] = await query(
        `SELECT ${usedFunction.name}((SELECT key FROM sessions WHERE id = $1), $2, $3, ${clockValue('$4')}) AS used`,
        [sessionId, scope, windowMs, now()],
      );
      return Number(row?.['used']);
    },
  };
}
