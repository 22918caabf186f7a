import { auditColumns } from '../create-audit.ts';
import { sessionEnded } from '../create-commands.ts';
import { type EventRow, eventRow } from '../event-row.ts';
import type { EventStore } from '../event-store.ts';
import type { SessionStore } from '../session-store.ts';
import { LeaseLostError } from '../store-error.ts';
import { createAppendBatch } from './append-batch.ts';
import { clockFunction } from './clock.ts';
import type { Database } from './database.ts';
import { giveBackFunction, usedFunction } from './reservations.ts';
import { placeholders, sqlFunction } from './sql-function.ts';

const insertEvents = `
  INSERT INTO events (session, idx, type, data, id, at, concealed, item_id)
  SELECT v_key, o_first + n - 1, type, data, id, at, concealed, item_id
  FROM unnest(p_types, p_data, p_ids, p_ats, p_concealed, p_item_ids) WITH ORDINALITY
    AS e (type, data, id, at, concealed, item_id, n);`;

/** For commands that wait when their session ends. */
const finishAll = `
  UPDATE session_commands SET finished_at = v_now, outcome = '${sessionEnded}'
  WHERE session = v_key AND finished_at IS NULL;`;

/** Of the session that is over, what still runs or waits. */
const cancelTurns = `
  UPDATE turns SET status = 'cancelled', ended_at = coalesce(ended_at, v_now)
  WHERE session = v_key AND status IN ('running', 'waiting');`;

/** Nor does anybody answer or wait in it, so that what somebody holds or is asked is found among what is open. */
const endThread = `
  UPDATE threads SET holder_id = NULL, holder_name = NULL, waiting_since = NULL, asked_of_id = NULL
  WHERE session = v_key AND (holder_id IS NOT NULL OR waiting_since IS NOT NULL OR asked_of_id IS NOT NULL);
  DELETE FROM thread_delegates WHERE session = v_key;`;

/** Whoever holds it already may have assigned it to somebody else. */
const isTakenOver = 'p_holder_id IS NOT NULL AND p_holder_id IS DISTINCT FROM t.holder_id';

/** Lanes are locked in one order by all who add to those of a session. */
const addDeliveries = `
  IF p_deliveries IS NOT NULL THEN
    INSERT INTO webhook_lanes AS l (webhook_id, lane, due_at, held_until, epoch, changes)
    SELECT DISTINCT "webhookId", p_session, v_now, 0, 0, 0
    FROM json_to_recordset(p_deliveries) AS d ("webhookId" text) ORDER BY "webhookId"
    ON CONFLICT (webhook_id, lane) DO UPDATE SET changes = l.changes + 1;
    INSERT INTO webhook_deliveries
      (id, webhook_id, lane, session, event_id, type, body, status, attempts, created_at)
    SELECT d.id, "webhookId", p_session, v_key, "eventId", d.type, d.body, 'waiting', 0, v_now
    FROM ROWS FROM (json_to_recordset(p_deliveries) AS
      (id text, "webhookId" text, "eventId" text, type text, body text)) WITH ORDINALITY
      AS d (id, "webhookId", "eventId", type, body, place)
    ORDER BY place;
  END IF;`;

const mailRows = `json_to_recordset(p_mails) AS m ("requestId" text, address text, "memberId" text, "isReminder" boolean,
        "dueInMs" bigint, "endsInMs" bigint)`;
const sameMail = `a.request_id = m."requestId" AND a.address = m.address
        AND a.member_id IS NOT DISTINCT FROM m."memberId" AND a.is_reminder = m."isReminder"::int`;

/** `EventStore.commit` in one round trip. The session's row is locked first: the epoch is the fence. */
export const commitFunction = sqlFunction(
  'commit_turn',
  `CREATE FUNCTION $name(
    p_now bigint, p_session text, p_epoch bigint,
    p_types text[], p_data text[], p_ids text[], p_ats text[], p_concealed smallint[], p_item_ids text[],
    p_state text, p_status text, p_set_wake boolean, p_wake_at bigint,
    p_retract integer[], p_turns integer[], p_messages text[],
    p_started json, p_ended json, p_settled integer[],
    p_call_ids text[], p_results text[], p_drop_results text[], p_consume bigint[],
    p_spend_scopes text[], p_spend_windows bigint[], p_spend_amounts bigint[],
    p_commands text[], p_outcomes text[], p_holder_id text, p_holder_name text, p_is_waiting boolean,
    p_asked_of text[],
    p_deliveries json, p_mails json, p_audit json, p_release boolean, p_meter_scope text, p_meter_window bigint,
    OUT o_first bigint, OUT o_released boolean, OUT o_used bigint
  ) LANGUAGE plpgsql AS $$
  DECLARE
    v_now bigint := ${clockFunction.name}(p_now);
    v_session sessions;
    v_key bigint;
    v_ends boolean := p_status <> 'open';
    v_kept bigint;
    v_agent text;
  BEGIN
    v_ends := coalesce(v_ends, false);
    o_released := false;
    IF v_ends OR p_release THEN
      SELECT * INTO v_session FROM sessions WHERE id = p_session AND epoch = p_epoch AND owner IS NOT NULL
        FOR NO KEY UPDATE;
      IF NOT FOUND THEN RETURN; END IF;
      DELETE FROM queue WHERE session = v_session.key AND (v_ends OR position = ANY (p_consume));
      o_released := v_ends OR NOT EXISTS (SELECT FROM queue WHERE session = v_session.key)
        AND NOT EXISTS (
          SELECT FROM session_commands WHERE session = v_session.key AND finished_at IS NULL
            AND id <> ALL (coalesce(p_commands, '{}')));
      v_kept := v_session.reserved;
      IF v_kept > 0 THEN
        v_kept := CASE WHEN o_released THEN 0 ELSE least(v_kept, (
          SELECT coalesce(sum(reserved), 0) FROM queue WHERE session = v_session.key
            AND accepted_at >= v_session.reserved_window * v_session.reserved_window_ms
        )) END;
      END IF;
    END IF;

    UPDATE sessions SET
      next_index = next_index + cardinality(p_types),
      active_at = greatest(active_at, v_now),
      active_hour = greatest(active_at, v_now) / 3600000,
      state = coalesce(p_state, state),
      status = coalesce(p_status, status),
      wake_at = CASE WHEN v_ends THEN NULL WHEN p_set_wake THEN p_wake_at ELSE wake_at END,
      owner = CASE WHEN o_released THEN NULL ELSE owner END,
      lease_until = CASE WHEN o_released THEN 0 ELSE lease_until END,
      reserved = coalesce(v_kept, reserved)
    WHERE id = p_session AND epoch = p_epoch AND owner IS NOT NULL
    RETURNING key, agent_id, next_index - cardinality(p_types) INTO v_key, v_agent, o_first;
    IF NOT FOUND THEN RETURN; END IF;

    IF cardinality(p_types) > 0 THEN ${insertEvents} END IF;
    IF p_retract IS NOT NULL THEN
      DELETE FROM history WHERE session = v_key AND turn = ANY (p_retract);
    END IF;
    IF p_turns IS NOT NULL THEN
      INSERT INTO history (session, position, turn, message)
      SELECT v_key, n - 1 + (SELECT coalesce(max(position) + 1, 0) FROM history WHERE session = v_key), turn, message
      FROM unnest(p_turns, p_messages) WITH ORDINALITY AS h (turn, message, n);
    END IF;
    IF p_started IS NOT NULL THEN
      INSERT INTO turns (session, sequence, agent_id, status, item_id, author, configuration, model_id, first_index,
        input_tokens, output_tokens, started_at)
      SELECT v_key, sequence, v_agent, 'running', "itemId", author, configuration, "modelId", o_first + "place", 0, 0,
        "startedAt"
      FROM json_to_recordset(p_started) AS s (sequence integer, "itemId" text, author text, configuration text,
        "modelId" text, "place" bigint, "startedAt" bigint);
    END IF;
    IF p_ended IS NOT NULL THEN
      UPDATE turns AS t SET status = e.status, last_index = o_first + cardinality(p_types) - 1,
        input_tokens = t.input_tokens + "inputTokens", output_tokens = t.output_tokens + "outputTokens",
        first_delta_at = "firstDeltaAt", ended_at = "endedAt", model_id = coalesce("modelId", model_id)
      FROM json_to_recordset(p_ended) AS e (sequence integer, status text, "inputTokens" bigint,
        "outputTokens" bigint, "firstDeltaAt" bigint, "modelId" text, "endedAt" bigint)
      WHERE t.session = v_key AND t.sequence = e.sequence AND t.status = 'running';
    END IF;
    IF p_settled IS NOT NULL THEN
      UPDATE turns SET status = 'completed'
      WHERE session = v_key AND sequence = ANY (p_settled) AND status = 'waiting';
    END IF;
    IF p_call_ids IS NOT NULL THEN
      INSERT INTO call_results (session, call_id, result)
      SELECT v_key, call_id, result FROM unnest(p_call_ids, p_results) AS r (call_id, result);
    END IF;
    IF p_drop_results IS NOT NULL THEN
      DELETE FROM call_results WHERE session = v_key AND call_id = ANY (p_drop_results);
    END IF;
    IF p_consume IS NOT NULL AND NOT (v_ends OR p_release) THEN
      DELETE FROM queue WHERE session = v_key AND position = ANY (p_consume);
    END IF;
    IF p_is_waiting IS NOT NULL THEN
      INSERT INTO threads AS t
        (session, holder_id, holder_name, assignee_id, assignee_name, waiting_since, changed_at, asked_of_id)
      VALUES (v_key, p_holder_id, p_holder_name, p_holder_id, p_holder_name, CASE WHEN p_is_waiting THEN v_now END, v_now,
        p_asked_of[1])
      ON CONFLICT (session) DO UPDATE SET holder_id = excluded.holder_id, holder_name = excluded.holder_name,
        assignee_id = CASE WHEN ${isTakenOver} THEN excluded.assignee_id ELSE t.assignee_id END,
        assignee_name = CASE WHEN ${isTakenOver} THEN excluded.assignee_name ELSE t.assignee_name END,
        waiting_since = CASE WHEN p_is_waiting THEN coalesce(t.waiting_since, v_now) END, changed_at = v_now,
        asked_of_id = excluded.asked_of_id;
      DELETE FROM thread_delegates WHERE session = v_key AND member_id <> ALL (p_asked_of);
      INSERT INTO thread_delegates (session, member_id) SELECT v_key, member_id FROM unnest(p_asked_of) AS m (member_id)
      ON CONFLICT DO NOTHING;
    END IF;
    ${addDeliveries}
    IF p_mails IS NOT NULL THEN
      UPDATE approval_mails AS a SET due_at = least(a.due_at, v_now + m."dueInMs"), ends_at = v_now + m."endsInMs"
      FROM ${mailRows}
      WHERE a.session = v_key AND ${sameMail};
      INSERT INTO approval_mails (session, request_id, address, member_id, is_reminder, due_at, ends_at, attempts)
      SELECT DISTINCT ON ("requestId", address, "memberId", "isReminder")
        v_key, "requestId", address, "memberId", "isReminder"::int, v_now + "dueInMs", v_now + "endsInMs", 0
      FROM ${mailRows}
      WHERE NOT EXISTS (SELECT FROM approval_mails AS a WHERE a.session = v_key AND ${sameMail});
    END IF;
    IF p_audit IS NOT NULL THEN
      INSERT INTO audit_entries
        (at, tenant_id, actor_id, actor_name, action, kind, subject_id, subject_name, before, after)
      SELECT at, tenant_id, actor_id, actor_name, action, kind, subject_id, subject_name, before, after
      FROM json_to_recordset(p_audit) AS a (at bigint, tenant_id text, actor_id text, actor_name text, action text,
        kind text, subject_id text, subject_name text, before text, after text)
      WHERE tenant_id IS NULL OR EXISTS (SELECT FROM tenants WHERE id = tenant_id);
    END IF;
    IF p_commands IS NOT NULL THEN
      UPDATE session_commands AS c SET finished_at = v_now, outcome = f.outcome
      FROM unnest(p_commands, p_outcomes) AS f (id, outcome)
      WHERE c.id = f.id AND c.session = v_key AND c.finished_at IS NULL;
    END IF;
    IF v_ends THEN
      ${finishAll}
      ${cancelTurns}
      ${endThread}
    END IF;

    -- Counters come last: many sessions share one, and nobody else can count while it is locked.
    IF p_spend_scopes IS NOT NULL OR v_kept < v_session.reserved THEN
      PERFORM FROM quotas WHERE (scope, window_ms) IN (
        SELECT * FROM unnest(p_spend_scopes, p_spend_windows)
        UNION ALL SELECT v_session.reserved_scope, v_session.reserved_window_ms
      ) ORDER BY scope, window_ms FOR UPDATE;
    END IF;
    IF p_spend_scopes IS NOT NULL THEN
      INSERT INTO quotas (scope, window_ms, window_number, used)
      SELECT scope, window_ms, v_now / window_ms, sum(amount)
      FROM unnest(p_spend_scopes, p_spend_windows, p_spend_amounts) AS s (scope, window_ms, amount)
      GROUP BY scope, window_ms ORDER BY scope, window_ms
      ON CONFLICT (scope, window_ms) DO UPDATE SET
        window_number = excluded.window_number,
        used = CASE WHEN quotas.window_number = excluded.window_number THEN quotas.used ELSE 0 END + excluded.used;
    END IF;
    IF v_kept < v_session.reserved THEN
      PERFORM ${giveBackFunction.name}(v_session, v_kept);
    END IF;
    IF p_meter_scope IS NOT NULL THEN
      o_used := ${usedFunction.name}(v_key, p_meter_scope, p_meter_window, v_now);
    END IF;
  END $$`,
);

/** `SessionStore.endSession` in one round trip. */
export const endFunction = sqlFunction(
  'end_session',
  `CREATE FUNCTION $name(
    p_now bigint, p_session text, p_status text,
    p_types text[], p_data text[], p_ids text[], p_ats text[], p_concealed smallint[], p_item_ids text[],
    p_deliveries json, p_idle_ms bigint
  ) RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE
    v_now bigint := ${clockFunction.name}(p_now);
    v_session sessions;
    v_key bigint;
    o_first bigint;
  BEGIN
    SELECT * INTO v_session FROM sessions
    WHERE id = p_session AND status = 'open' AND owner IS NULL
      AND (p_idle_ms = 0 OR active_at <= v_now - p_idle_ms) FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN NULL; END IF;
    v_key := v_session.key;
    o_first := v_session.next_index;
    UPDATE sessions SET
      next_index = next_index + cardinality(p_types),
      active_at = greatest(active_at, v_now),
      active_hour = greatest(active_at, v_now) / 3600000,
      status = p_status, owner = NULL, lease_until = 0, wake_at = NULL, reserved = 0
    WHERE key = v_key;
    ${insertEvents}
    ${addDeliveries}
    DELETE FROM queue WHERE session = v_key;
    ${finishAll}
    ${cancelTurns}
    ${endThread}
    IF v_session.reserved > 0 THEN PERFORM ${giveBackFunction.name}(v_session, 0); END IF;
    RETURN o_first;
  END $$`,
);

export function prepareAppends(
  database: Database,
): Pick<EventStore, 'commit'> & Pick<SessionStore, 'endSession'> {
  const { query, now } = database;
  const append = createAppendBatch(database);
  const commit = `SELECT * FROM ${commitFunction.name}(${placeholders(38)})`;
  const end = `SELECT ${endFunction.name}(${placeholders(11)}) AS first`;

  return {
    async commit(lease, change) {
      const { sessionId, epoch } = lease;
      const { events, state, status, wakeAt, history, results, spend, meter } = change;
      const rows = events.map(eventRow);
      const started = rows.flatMap(({ turn, itemId }, place) => (turn ? [{ ...turn, itemId, place }] : []));
      if (Object.keys(change).length === 1 && started.length === 0)
        return { firstIndex: await append(lease, rows), released: false };
      const [row] = await query(commit, [
        now(),
        sessionId,
        epoch,
        ...eventColumns(rows),
        state === undefined ? null : JSON.stringify(state),
        status ?? null,
        wakeAt !== undefined,
        wakeAt ?? null,
        filled(change.retract),
        filled(history)?.map(({ turn }) => turn) ?? null,
        filled(history)?.map(({ message }) => JSON.stringify(message ?? null)) ?? null,
        json(started),
        json(change.endTurns),
        filled(change.settleTurns),
        filled(results)?.map(({ callId }) => callId) ?? null,
        filled(results)?.map(({ result }) => JSON.stringify(result ?? null)) ?? null,
        filled(change.dropResults),
        filled(change.consume),
        filled(spend)?.map(({ scope }) => scope) ?? null,
        filled(spend)?.map(({ windowMs }) => windowMs) ?? null,
        filled(spend)?.map(({ amount }) => amount) ?? null,
        filled(change.commands)?.map(({ id }) => id) ?? null,
        filled(change.commands)?.map(({ outcome }) => outcome) ?? null,
        change.thread?.holder?.id ?? null,
        change.thread?.holder?.name ?? null,
        change.thread?.isWaiting ?? null,
        change.thread?.askedOf ?? [],
        json(change.deliveries),
        json(change.approvalMails),
        json(change.audit?.map(auditColumns)),
        change.release === true,
        meter?.scope ?? null,
        meter?.windowMs ?? null,
      ]);
      if (row === undefined || row['o_first'] === null)
        throw new LeaseLostError(`Somebody else runs session ${sessionId}`);
      return {
        firstIndex: Number(row['o_first']),
        released: Boolean(row['o_released']),
        ...(meter && { used: Number(row['o_used']) }),
      };
    },

    async endSession(sessionId, { events, status, deliveries, idleMs = 0 }) {
      const [row] = await query(end, [
        now(),
        sessionId,
        status,
        ...eventColumns(events.map(eventRow)),
        json(deliveries),
        idleMs,
      ]);
      const first = row?.['first'] ?? null;
      return first === null ? null : Number(first);
    },
  };
}

function eventColumns(rows: readonly EventRow[]): readonly unknown[] {
  return [
    rows.map(({ type }) => type),
    rows.map(({ data }) => data),
    rows.map(({ id }) => id),
    rows.map(({ at }) => at),
    rows.map(({ concealed }) => concealed),
    rows.map(({ itemId }) => itemId),
  ];
}

function json(list: readonly object[] | undefined): string | null {
  return list !== undefined && list.length > 0 ? JSON.stringify(list) : null;
}

/** Null, and so no work for the database, where there is nothing. */
function filled<T>(list: readonly T[] | undefined): readonly T[] | null {
  return list !== undefined && list.length > 0 ? [...list] : null;
}
