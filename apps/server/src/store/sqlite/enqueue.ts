import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Clock } from '../clock.ts';
import { queueItem, sessionRecord } from '../decode-row.ts';
import type { EnqueueRequest, EnqueueResult, QueueItem } from '../queue-store.ts';
import { prepareFileBinding } from './file-binding.ts';
import { prepareRateLimits } from './rate-limits.ts';
import { prepareCommands } from './commands.ts';
import { prepareIdempotency } from './idempotency.ts';
import { prepareQuotas } from './quotas.ts';
import { sessionColumns } from './sessions.ts';

interface Target {
  readonly key: number;
  readonly id: string;
  readonly status: string;
  readonly visitor: string | null;
  readonly nextIndex: number;
  readonly epoch: number;
}

/** The session's row once the item has its place, with the columns that `sessionRecord` takes. */
interface Taken extends Readonly<Record<string, SQLOutputValue>> {
  readonly key: number;
  readonly epoch: number;
  readonly position: number;
}

/** The whole of `QueueStore.enqueue` as one piece of work; everything that can reject comes before the first write. */
export function prepareEnqueue(
  connection: DatabaseSync,
  clock: Clock,
): (request: EnqueueRequest) => () => EnqueueResult {
  const target = 'SELECT key, id, status, visitor, next_index AS nextIndex, epoch FROM sessions';
  const byId = connection.prepare(`${target} WHERE id = ?`);
  const byConversation = connection.prepare(
    `${target} WHERE agent_id = ? AND conversation_scope = ? AND conversation_id = ?`,
  );
  const queued = connection.prepare('SELECT count(*) AS count FROM queue WHERE session = ?');
  // A turn waits for this transaction: position, reservation and lease are one statement, which answers the session.
  const taken = `RETURNING ${sessionColumns}, key, epoch, next_position - 1 AS position`;
  const open = connection.prepare(`
    INSERT INTO sessions (id, tenant_id, agent_id, interface, conversation_id, conversation_scope, visitor,
      state, created_at, active_at, status, next_index, next_position, owner, epoch, lease_until,
      reserved, reserved_scope, reserved_window_ms, reserved_window)
    VALUES (?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?1, ?1, 'open', 0, 1, ?2, ?2 IS NOT NULL, ?3, ?4, ?5, ?14, ?15) ${taken}`);
  const free = '(?2 IS NOT NULL AND (owner IS NULL OR (owner <> ?2 AND lease_until <= ?1)))';
  const place = connection.prepare(`
    UPDATE sessions SET next_position = next_position + 1, active_at = max(active_at, ?1),
      owner = iif(${free}, ?2, owner), lease_until = iif(${free}, ?3, lease_until), epoch = epoch + iif(${free}, 1, 0),
      reserved = ?4 + iif(?5 IS NULL OR (reserved_window_ms = ?7 AND reserved_window = ?8), reserved, 0),
      reserved_scope = coalesce(?5, reserved_scope), reserved_window_ms = coalesce(?7, reserved_window_ms),
      reserved_window = coalesce(?8, reserved_window)
    WHERE key = ?6 ${taken}`);
  const enqueue = connection.prepare(
    'INSERT INTO queue (session, position, id, body, accepted_at, accepted_index, reserved) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const firstOf = connection.prepare(`
    SELECT id, position, body, accepted_at AS acceptedAt, accepted_index AS acceptedIndex
    FROM queue WHERE session = ? ORDER BY position LIMIT 1`);
  const binding = prepareFileBinding(connection);
  const rateLimits = prepareRateLimits(connection);
  const quotas = prepareQuotas(connection);
  const idempotency = prepareIdempotency(connection);
  const commands = prepareCommands(connection, clock);

  function find({ open: opening, sessionId }: EnqueueRequest): Target | undefined {
    const conversation =
      opening === undefined || opening.conversationId === null
        ? undefined
        : byConversation.get(opening.agentId, opening.conversationScope, opening.conversationId);
    return (conversation ?? byId.get(sessionId)) as Target | undefined;
  }

  return (request) => {
    const { open: opening, item, files, maxQueued, reservation } = request;
    const body = JSON.stringify(item.body ?? null);
    const state = JSON.stringify(opening?.state ?? null);
    const answer = JSON.stringify(request.idempotency?.result ?? null);

    return () => {
      const now = clock();
      if (request.idempotency !== null) {
        const earlier = idempotency.find(request.idempotency, now);
        if (earlier !== null) return earlier;
      }
      const existing = find(request);
      if (existing === undefined && opening === undefined) return { outcome: 'missing' };
      const owner = existing?.visitor ?? null;
      if (request.visitor !== undefined && owner !== null && owner !== request.visitor)
        return { outcome: 'missing' };
      if (existing !== undefined && existing.status !== 'open') return { outcome: 'ended' };
      const waiting = existing === undefined ? 0 : Number(queued.get(existing.key)?.['count']);
      if (waiting >= maxQueued) return { outcome: 'full' };
      const limited =
        rateLimits.rejection(request.rateLimits, now) ??
        quotas.rejection(reservation ? [...request.quotas, reservation] : request.quotas, now);
      if (limited !== null) return limited;
      const unbound = files && binding.rejection(files, existing?.key ?? null, opening, now);
      if (unbound) return unbound;

      const { key, epoch, position, ...columns } = takePosition(existing, now);
      const session = sessionRecord(columns);
      const { id: sessionId, nextIndex } = session;
      enqueue.run(key, position, item.id, body, now, nextIndex, reservation?.amount ?? 0);
      if (files) binding.bind(files.ids, key);
      rateLimits.record(request.rateLimits, now);
      quotas.record(reservation ? [...request.quotas, reservation] : request.quotas, now);
      if (request.idempotency !== null) idempotency.record(key, request.idempotency, answer, now);
      const accepted = { outcome: 'accepted' as const, sessionId, nextIndex };
      if (request.lease === null || epoch === existing?.epoch) return { ...accepted, leased: null };
      const first = waiting === 0 ? itemOf(position, nextIndex, now) : queueItem(firstOf.get(key)!);
      const lease = { sessionId, epoch };
      return {
        ...accepted,
        leased: { lease, session, item: first, commands: existing ? commands.waiting(key, sessionId) : [] },
      };
    };

    /** A place in the queue, and the lease where it is free; the epoch is another one then. */
    function takePosition(existing: Target | undefined, now: number): Taken {
      const window = reservation ? Math.floor(now / reservation.windowMs) : null;
      const { amount = 0, scope = null, windowMs = null } = reservation ?? {};
      const { owner, until } = request.lease
        ? { owner: request.lease.owner, until: now + request.lease.leaseMs }
        : { owner: null, until: 0 };
      const lease = [now, owner, until, amount, scope] as const;
      if (existing !== undefined)
        return place.get(...lease, existing.key, windowMs, window) as unknown as Taken;
      const { tenantId, agentId, conversationId, conversationScope, visitor } = opening!;
      const about = [
        tenantId,
        agentId,
        opening!.interface,
        conversationId,
        conversationScope,
        visitor,
        state,
      ];
      return open.get(...lease, request.sessionId, ...about, windowMs, window) as unknown as Taken;
    }

    function itemOf(position: number, acceptedIndex: number, acceptedAt: number): QueueItem {
      return { id: item.id, position, body: item.body ?? null, acceptedAt, acceptedIndex };
    }
  };
}
