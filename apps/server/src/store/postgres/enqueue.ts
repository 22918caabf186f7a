import type { SessionCommandRecord } from '../command-store.ts';
import { queueItem } from '../decode-row.ts';
import type { Row } from '../query-engine.ts';
import type { EnqueueRequest, EnqueueResult, LeasedSession, QueueStore } from '../queue-store.ts';
import { clockFunction } from './clock.ts';
import type { Database } from './database.ts';
import { fileBytesFunction } from './file-binding.ts';
import type { Acquiring } from './lease.ts';
import { quotaFunction, recordQuotasFunction } from './quotas.ts';
import { lockScopesFunction, rateLimitFunction, recordAdmissionsFunction } from './rate-limits.ts';
import { placeholders, sqlFunction } from './sql-function.ts';

/**
 * The whole of `QueueStore.enqueue` in one round trip; everything that can reject comes before the first write. Locks
 * are taken in the order in which all functions take them: request, session, scopes, counters, files.
 */
export const enqueueFunction = sqlFunction(
  'enqueue',
  `CREATE FUNCTION $name(
    p_now bigint, p_session text, p_open boolean, p_tenant text, p_agent text, p_interface text,
    p_conversation text, p_scope text, p_open_visitor text, p_state text,
    p_anyone boolean, p_visitor text, p_item text, p_body text, p_max_queued integer,
    p_files text[], p_file_visitor text, p_max_file_bytes bigint, p_files_again boolean,
    p_limits jsonb, p_quotas jsonb, p_reserve_scope text, p_reserve_window bigint, p_reserve_amount bigint,
    p_key text, p_key_request text, p_key_result text, p_key_ttl bigint,
    p_owner text, p_lease_ms bigint, p_acquisition text,
    OUT outcome text, OUT scope text, OUT "windowMs" bigint, OUT "retryAfterMs" bigint, OUT result text,
    OUT "sessionId" text, OUT "nextIndex" bigint, OUT epoch bigint,
    OUT interface text, OUT "tenantId" text, OUT "agentId" text, OUT "conversationId" text,
    OUT "conversationScope" text, OUT visitor text, OUT state text, OUT "createdAt" bigint, OUT "activeAt" bigint,
    OUT id text, OUT "position" bigint, OUT body text, OUT "acceptedAt" bigint, OUT "acceptedIndex" bigint,
    OUT commands text
  ) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    v_now bigint;
    v_session sessions;
    v_found boolean;
    v_waiting bigint := 0;
    v_request text;
    v_file_bytes bigint := 0;
    v_free boolean;
    v_commanded boolean := false;
  BEGIN
    IF p_key IS NOT NULL THEN
      PERFORM pg_advisory_xact_lock(hashtextextended(p_key, 2));
      SELECT i.request, i.result INTO v_request, result
      FROM idempotency AS i JOIN sessions ON sessions.key = i.session
      WHERE i.scope = p_key AND i.expires_at > ${clockFunction.name}(p_now) AND sessions.status <> 'removed';
      IF FOUND THEN
        outcome := CASE WHEN v_request = p_key_request THEN 'repeated' ELSE 'conflict' END;
        RETURN;
      END IF;
    END IF;

    IF p_open THEN
      -- Of two that open the same session at once, the second finds it.
      PERFORM pg_advisory_xact_lock(CASE WHEN p_conversation IS NULL THEN hashtextextended(p_session, 3)
        ELSE hashtextextended(p_agent || ' ' || p_scope || ' ' || p_conversation, 4) END);
    END IF;
    v_found := false;
    IF p_open AND p_conversation IS NOT NULL THEN
      SELECT * INTO v_session FROM sessions
      WHERE agent_id = p_agent AND conversation_scope = p_scope AND conversation_id = p_conversation
      FOR NO KEY UPDATE;
      v_found := FOUND;
    END IF;
    IF NOT v_found THEN
      SELECT * INTO v_session FROM sessions WHERE sessions.id = p_session FOR NO KEY UPDATE;
      v_found := FOUND;
    END IF;
    IF NOT v_found AND NOT p_open
      OR NOT p_anyone AND v_session.visitor IS NOT NULL AND v_session.visitor IS DISTINCT FROM p_visitor
    THEN
      outcome := 'missing';
      RETURN;
    END IF;
    IF v_found THEN
      IF v_session.status <> 'open' THEN
        outcome := 'ended';
        RETURN;
      END IF;
      SELECT count(*) INTO v_waiting FROM queue WHERE session = v_session.key;
    END IF;
    IF v_waiting >= p_max_queued THEN
      outcome := 'full';
      RETURN;
    END IF;

    IF p_limits IS NOT NULL THEN PERFORM ${lockScopesFunction.name}(p_limits); END IF;
    v_now := ${clockFunction.name}(p_now);
    IF p_limits IS NOT NULL THEN
      SELECT r.scope, r.window_ms, r.retry_after_ms INTO scope, "windowMs", "retryAfterMs"
      FROM ${rateLimitFunction.name}(p_limits, v_now) AS r;
    END IF;
    IF p_quotas IS NOT NULL AND scope IS NULL THEN
      SELECT r.scope, r.window_ms, r.retry_after_ms INTO scope, "windowMs", "retryAfterMs"
      FROM ${quotaFunction.name}(p_quotas, v_now) AS r;
    END IF;
    IF scope IS NOT NULL THEN
      outcome := 'limited';
      RETURN;
    END IF;
    IF p_files IS NOT NULL THEN
      v_file_bytes := ${fileBytesFunction.name}(p_files, p_file_visitor,
        CASE WHEN p_files_again THEN v_session.key END,
        coalesce(v_session.tenant_id, p_tenant), coalesce(v_session.agent_id, p_agent), v_now);
      IF v_file_bytes IS NULL THEN
        outcome := 'file-missing';
        RETURN;
      END IF;
      IF v_file_bytes + coalesce(v_session.file_bytes, 0) > p_max_file_bytes THEN
        outcome := 'files-full';
        RETURN;
      END IF;
    END IF;

    IF v_found THEN
      v_free := p_owner IS NOT NULL
        AND (v_session.owner IS NULL OR v_session.owner <> p_owner AND v_session.lease_until <= v_now);
      -- Commands wait for an owner who is gone, or for the first one of what is queued.
      v_commanded := v_session.owner IS NOT NULL OR v_waiting > 0;
      UPDATE sessions SET
        next_position = next_position + 1,
        active_at = greatest(active_at, v_now),
        active_hour = greatest(active_at, v_now) / 3600000,
        file_bytes = file_bytes + v_file_bytes,
        owner = CASE WHEN v_free THEN p_owner ELSE owner END,
        epoch = CASE WHEN v_free THEN sessions.epoch + 1 ELSE sessions.epoch END,
        lease_until = CASE WHEN v_free THEN v_now + p_lease_ms ELSE lease_until END,
        acquisition = CASE WHEN v_free THEN p_acquisition ELSE acquisition END,
        -- A window that is over holds nothing any more.
        reserved = CASE WHEN p_reserve_scope IS NULL THEN reserved ELSE p_reserve_amount
          + CASE WHEN reserved_window = v_now / reserved_window_ms THEN reserved ELSE 0 END END,
        reserved_scope = coalesce(p_reserve_scope, reserved_scope),
        reserved_window_ms = coalesce(p_reserve_window, reserved_window_ms),
        reserved_window = coalesce(v_now / p_reserve_window, reserved_window)
      WHERE key = v_session.key RETURNING * INTO v_session;
      IF v_free THEN state := v_session.state; END IF;
    ELSE
      v_free := p_owner IS NOT NULL;
      INSERT INTO sessions (id, tenant_id, agent_id, interface, conversation_id, conversation_scope, visitor, state,
        created_at, active_at, active_hour, next_position, owner, epoch, lease_until, acquisition, file_bytes,
        reserved, reserved_scope, reserved_window_ms, reserved_window)
      VALUES (p_session, p_tenant, p_agent, p_interface, p_conversation, p_scope, p_open_visitor, p_state,
        v_now, v_now, v_now / 3600000, 1, p_owner,
        v_free::integer, CASE WHEN v_free THEN v_now + p_lease_ms ELSE 0 END, p_acquisition, v_file_bytes,
        coalesce(p_reserve_amount, 0), p_reserve_scope, p_reserve_window, v_now / p_reserve_window)
      RETURNING * INTO v_session;
    END IF;
    INSERT INTO queue (session, position, id, body, accepted_at, accepted_index, reserved)
    VALUES (v_session.key, v_session.next_position - 1, p_item, p_body, v_now, v_session.next_index,
      coalesce(p_reserve_amount, 0));
    IF p_files IS NOT NULL THEN
      UPDATE files SET session = v_session.key, expires_at = 0 WHERE files.id = ANY (p_files) AND session IS NULL;
    END IF;
    IF p_limits IS NOT NULL THEN PERFORM ${recordAdmissionsFunction.name}(p_limits, v_now); END IF;
    IF p_quotas IS NOT NULL THEN PERFORM ${recordQuotasFunction.name}(p_quotas, v_now); END IF;
    IF p_key IS NOT NULL THEN
      DELETE FROM idempotency AS i WHERE i.scope IN (
        SELECT e.scope FROM idempotency AS e WHERE e.expires_at <= v_now LIMIT 100 FOR UPDATE SKIP LOCKED
      );
      INSERT INTO idempotency (scope, session, request, result, expires_at)
      VALUES (p_key, v_session.key, p_key_request, p_key_result, v_now + p_key_ttl)
      ON CONFLICT ON CONSTRAINT idempotency_pkey DO UPDATE SET session = excluded.session,
        request = excluded.request, result = excluded.result, expires_at = excluded.expires_at;
    END IF;

    outcome := 'accepted';
    result := NULL;
    "sessionId" := v_session.id;
    "nextIndex" := v_session.next_index;
    IF NOT v_free THEN RETURN; END IF;
    epoch := v_session.epoch;
    interface := v_session.interface;
    "tenantId" := v_session.tenant_id;
    "agentId" := v_session.agent_id;
    "conversationId" := v_session.conversation_id;
    "conversationScope" := v_session.conversation_scope;
    visitor := v_session.visitor;
    "createdAt" := v_session.created_at;
    "activeAt" := v_session.active_at;
    IF v_commanded THEN
      SELECT json_agg(json_build_object('id', c.id, 'body', c.body) ORDER BY c.position)::text INTO commands
      FROM session_commands AS c WHERE c.session = v_session.key AND c.finished_at IS NULL;
    END IF;
    IF v_waiting = 0 THEN
      "position" := v_session.next_position - 1;
      "acceptedAt" := v_now;
    ELSE
      SELECT q.id, q.position, q.body, q.accepted_at, q.accepted_index
      INTO id, "position", body, "acceptedAt", "acceptedIndex"
      FROM queue AS q WHERE q.session = v_session.key ORDER BY q.position LIMIT 1;
    END IF;
  END $$`,
);

export function prepareEnqueue({ query, now }: Database, acquiring: Acquiring): Pick<QueueStore, 'enqueue'> {
  const enqueue = `SELECT * FROM ${enqueueFunction.name}(${placeholders(31)})`;

  return {
    async enqueue(request) {
      const { open, item, files, idempotency, reservation, rateLimits, lease } = request;
      const body = JSON.stringify(item.body ?? null);
      const state = JSON.stringify(open?.state ?? null);
      const quotas = reservation ? [...request.quotas, reservation] : request.quotas;
      const row = await acquiring(async (acquisition) => {
        const [answer] = await query(enqueue, [
          now(),
          request.sessionId,
          open !== undefined,
          open?.tenantId ?? null,
          open?.agentId ?? null,
          open?.interface ?? null,
          open?.conversationId ?? null,
          open?.conversationScope ?? null,
          open?.visitor ?? null,
          state,
          request.visitor === undefined,
          request.visitor ?? null,
          item.id,
          body,
          request.maxQueued,
          files && [...files.ids],
          files?.visitor ?? null,
          files?.maxSessionBytes ?? null,
          files?.again ?? false,
          rateLimits.length > 0 ? JSON.stringify(rateLimits) : null,
          quotas.length > 0 ? JSON.stringify(quotas) : null,
          reservation?.scope ?? null,
          reservation?.windowMs ?? null,
          reservation?.amount ?? null,
          idempotency?.scope ?? null,
          idempotency?.request ?? null,
          idempotency && JSON.stringify(idempotency.result ?? null),
          idempotency?.ttlMs ?? null,
          lease?.owner ?? null,
          lease?.leaseMs ?? null,
          acquisition,
        ]);
        return answer!;
      });
      const result = enqueueResult(row, request, { body, state });
      if (result.outcome === 'accepted' && result.leased) request.onLeased?.(result.leased);
      return result;
    },
  };
}

/** What the process knows already, the database does not send back. */
interface Sent {
  readonly body: string;
  readonly state: string;
}

function enqueueResult(row: Row, request: EnqueueRequest, sent: Sent): EnqueueResult {
  switch (row['outcome']) {
    case 'accepted':
      return {
        outcome: 'accepted',
        sessionId: String(row['sessionId']),
        nextIndex: Number(row['nextIndex']),
        leased: row['epoch'] === null ? null : leasedSession(row, request, sent),
      };
    case 'repeated':
      return { outcome: 'repeated', result: JSON.parse(String(row['result'])) };
    case 'limited':
      return {
        outcome: 'limited',
        scope: String(row['scope']),
        windowMs: Number(row['windowMs']),
        retryAfterMs: Number(row['retryAfterMs']),
      };
    default:
      // The others say nothing but their outcome.
      return { outcome: row['outcome'] } as EnqueueResult;
  }
}

function leasedSession(row: Row, { item }: EnqueueRequest, { body, state }: Sent): LeasedSession {
  const sessionId = String(row['sessionId']);
  const text = (column: string) => (row[column] === null ? null : String(row[column]));
  return {
    lease: { sessionId, epoch: Number(row['epoch']) },
    session: {
      id: sessionId,
      tenantId: String(row['tenantId']),
      agentId: String(row['agentId']),
      interface: row['interface'] === 'chat' ? 'chat' : 'sessions',
      conversationId: text('conversationId'),
      conversationScope: text('conversationScope'),
      visitor: text('visitor'),
      status: 'open',
      state: JSON.parse(text('state') ?? state),
      nextIndex: Number(row['nextIndex']),
      createdAt: Number(row['createdAt']),
      activeAt: Number(row['activeAt']),
    },
    item: queueItem({
      ...row,
      id: row['id'] ?? item.id,
      body: row['body'] ?? body,
      acceptedIndex: row['id'] === null ? Number(row['nextIndex']) : row['acceptedIndex']!,
    }),
    commands: commandsOf(text('commands'), sessionId),
  };
}

function commandsOf(json: string | null, sessionId: string): readonly SessionCommandRecord[] {
  const rows: readonly { readonly id: string; readonly body: string }[] = JSON.parse(json ?? '[]');
  return rows.map(({ id, body }) => ({ id, sessionId, body: JSON.parse(body) }));
}
