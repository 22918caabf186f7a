import type { DatabaseSync } from 'node:sqlite';
import type { Acceptance, Accepted } from '../store.ts';
import { prepareFileBinding } from './file-binding.ts';
import { prepareAdmissions } from './admissions.ts';
import { prepareClaim } from './lease.ts';
import { prepareIdempotency } from './idempotency.ts';
import { prepareQuotas } from './quotas.ts';
import { prepareReservations } from './reservations.ts';

interface Target {
  readonly key: number;
  readonly id: string;
  readonly status: string;
  readonly visitor: string | null;
  readonly nextIndex: number;
}

/** The whole of `Store.accept` as one piece of work; everything that can refuse comes before the first write. */
export function prepareAccept(connection: DatabaseSync): (acceptance: Acceptance) => () => Accepted {
  const target = 'SELECT key, id, status, visitor, next_index AS nextIndex FROM sessions';
  const byId = connection.prepare(`${target} WHERE id = ?`);
  const byConversation = connection.prepare(
    `${target} WHERE agent_id = ? AND conversation_scope = ? AND conversation_id = ?`,
  );
  const queued = connection.prepare('SELECT count(*) AS count FROM queue WHERE session = ?');
  const open = connection.prepare(`
    INSERT INTO sessions (id, tenant_id, agent_id, interface, conversation_id, conversation_scope, visitor,
      state, created_at, active_at, status, next_index, next_position, owner, epoch, lease_until)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', 0, 0, NULL, 0, 0)`);
  const takePosition = connection.prepare(`
    UPDATE sessions SET next_position = next_position + 1, active_at = max(active_at, ?) WHERE key = ?
    RETURNING next_position - 1 AS position`);
  const enqueue = connection.prepare(
    'INSERT INTO queue (session, position, id, body, accepted_at, accepted_index, reserved) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const binding = prepareFileBinding(connection);
  const admissions = prepareAdmissions(connection);
  const quotas = prepareQuotas(connection);
  const reservations = prepareReservations(connection);
  const idempotency = prepareIdempotency(connection);
  const claim = prepareClaim(connection);

  function find({ open: opening, sessionId }: Acceptance): Target | undefined {
    const conversation =
      opening === undefined || opening.conversationId === null
        ? undefined
        : byConversation.get(opening.agentId, opening.conversationScope, opening.conversationId);
    return (conversation ?? byId.get(sessionId)) as Target | undefined;
  }

  return (acceptance) => {
    const { open: opening, item, files, maxQueued, reservation, lease, now } = acceptance;
    const body = JSON.stringify(item.body ?? null);
    const state = JSON.stringify(opening?.state ?? null);
    const answer = JSON.stringify(acceptance.idempotency?.answer ?? null);

    return () => {
      if (acceptance.idempotency !== null) {
        const earlier = idempotency.find(acceptance.idempotency, now);
        if (earlier !== null) return earlier;
      }
      const existing = find(acceptance);
      if (existing === undefined && opening === undefined) return { outcome: 'missing' };
      const owner = existing?.visitor ?? null;
      if (acceptance.visitor !== undefined && owner !== null && owner !== acceptance.visitor)
        return { outcome: 'missing' };
      if (existing !== undefined && existing.status !== 'open') return { outcome: 'ended' };
      const waiting = existing === undefined ? 0 : Number(queued.get(existing.key)?.['count']);
      if (waiting >= maxQueued) return { outcome: 'full' };
      const limited =
        admissions.refusal(acceptance.admissions, now) ??
        quotas.refusal(reservation ? [...acceptance.quotas, reservation] : acceptance.quotas, now);
      if (limited !== null) return limited;
      const unbound = files && binding.refusal(files, existing?.key ?? null, opening, now);
      if (unbound) return unbound;

      const session =
        existing ??
        opened(
          open.run(
            acceptance.sessionId,
            opening!.tenantId,
            opening!.agentId,
            opening!.interface,
            opening!.conversationId,
            opening!.conversationScope,
            opening!.visitor,
            state,
            now,
            now,
          ).lastInsertRowid,
        );
      const position = Number(takePosition.get(now, session.key)?.['position']);
      enqueue.run(session.key, position, item.id, body, now, session.nextIndex, reservation?.amount ?? 0);
      if (files) binding.bind(files.ids, session.key);
      admissions.record(acceptance.admissions, now);
      quotas.record(acceptance.quotas, now);
      if (reservation) reservations.reserve(session.key, reservation, now);
      if (acceptance.idempotency !== null) {
        idempotency.record(session.key, acceptance.idempotency, answer, now);
      }
      return {
        outcome: 'accepted',
        sessionId: session.id,
        nextIndex: session.nextIndex,
        claim: claim(session.id, { ...lease, now }),
      };
    };

    function opened(key: number | bigint): Target {
      return { key: Number(key), id: acceptance.sessionId, status: 'open', visitor: null, nextIndex: 0 };
    }
  };
}
