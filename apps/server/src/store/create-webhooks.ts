import { type RawBuilder, sql } from 'kysely';
import type { Also, QueryEngine, Row } from './query-engine.ts';
import type {
  DeliveryRecord,
  DeliveryStatus,
  DeliverySummary,
  Lane,
  LaneAfterwards,
  NewDelivery,
  WebhookStore,
} from './webhook-store.ts';
import { wholeNumber } from './whole-number.ts';

const columns = sql`
  key, id, webhook_id AS "webhookId", event_id AS "eventId", type, status, attempts, created_at AS "createdAt",
  attempted_at AS "attemptedAt", http_status AS "httpStatus", duration_ms AS "durationMs", response, problem`;

const statuses: readonly DeliveryStatus[] = ['waiting', 'delivered', 'failed'];

/** What a write that is no commit of a session adds to a lane, in its own transaction: that of a session, or another. */
export function queueDeliveries(
  { now }: Pick<QueryEngine, 'now'>,
  lane: string,
  deliveries: readonly NewDelivery[],
): Also[] {
  if (deliveries.length === 0) return [];
  const told = [...new Set(deliveries.map(({ webhookId }) => webhookId))].map((id) => sql`(${id})`);
  return [
    // In the order in which a commit locks them: two that lock the same ones wait for each other, and not in a circle.
    (written) => sql`
      INSERT INTO webhook_lanes (webhook_id, lane, due_at, held_until, epoch, changes)
      SELECT column1, ${lane}, ${now()}, 0, 0, 0 FROM (VALUES ${sql.join(told)}) AS told
      WHERE ${written} ORDER BY column1
      ON CONFLICT (webhook_id, lane) DO UPDATE SET changes = webhook_lanes.changes + 1
      RETURNING changes`,
    ...deliveries.map(
      ({ id, webhookId, eventId, type, body }): Also =>
        (written) =>
          sql`
          INSERT INTO webhook_deliveries
            (id, webhook_id, lane, session, event_id, type, body, status, attempts, created_at)
          SELECT ${id}, ${webhookId}, ${lane}, (SELECT key FROM sessions WHERE sessions.id = ${lane}), ${eventId}, ${type},
            ${body}, 'waiting', 0, ${now()}
          WHERE ${written}
          RETURNING key`,
    ),
  ];
}

export function createWebhooks({
  queries,
  read,
  write,
  erase,
  now,
  locked,
  jsonText,
}: QueryEngine): WebhookStore {
  /** The lane, as long as it is whose it was. */
  const held = ({ webhookId, lane, epoch }: Lane) =>
    sql`webhook_id = ${webhookId} AND lane = ${lane} AND epoch = ${wholeNumber(epoch)}`;

  const afterwards = (then: LaneAfterwards) =>
    'heldForMs' in then
      ? sql`held_until = ${now()} + ${wholeNumber(then.heldForMs)}`
      : sql`held_until = 0, due_at = ${now()} + ${wholeNumber(then.dueInMs)}`;

  return {
    async claimLanes({ leaseMs, limit, except }) {
      const otherWebhooks =
        except.webhooks.length > 0 ? sql`AND told.id NOT IN (${sql.join(except.webhooks)})` : sql``;
      const otherTenants =
        except.tenants.length > 0
          ? sql`AND (webhooks.tenant_id IS NULL OR webhooks.tenant_id NOT IN (${sql.join(except.tenants)}))`
          : sql``;
      const isFree = sql`due_at <= ${now()} AND held_until <= ${now()}`;
      const order = sql`CASE WHEN ${jsonText('webhooks.state', 'failingSince')} IS NULL THEN 0 ELSE 1 END, due."dueAt"`;
      // From one webhook to the next: however much waits for one of them, the others are found as fast.
      const found = await read(
        sql`
          WITH RECURSIVE told (id) AS (
            SELECT min(webhook_id) FROM webhook_lanes
            UNION ALL
            SELECT (SELECT min(webhook_id) FROM webhook_lanes WHERE webhook_id > told.id) FROM told
            WHERE told.id IS NOT NULL
          )
          SELECT "webhookId", "tenantId", lane FROM (
            SELECT due.*, webhooks.tenant_id AS "tenantId", row_number() OVER (ORDER BY ${order}) AS place,
              row_number() OVER (PARTITION BY coalesce(webhooks.tenant_id, due."webhookId") ORDER BY ${order}) AS "placeOfTenant"
            FROM (
              SELECT told.id AS "webhookId",
                (SELECT lane FROM webhook_lanes WHERE webhook_id = told.id AND ${isFree} ORDER BY due_at LIMIT 1) AS lane,
                (SELECT due_at FROM webhook_lanes WHERE webhook_id = told.id AND ${isFree} ORDER BY due_at LIMIT 1) AS "dueAt"
              FROM told WHERE told.id IS NOT NULL ${otherWebhooks}) AS due
            LEFT JOIN webhooks ON webhooks.id = due."webhookId"
            WHERE due.lane IS NOT NULL ${otherTenants}) AS placed
          WHERE "placeOfTenant" = 1 ORDER BY place LIMIT ${limit}`.compile(queries),
      );
      if (found.length === 0) return [];
      const tenants = new Map(
        found.map(({ webhookId, tenantId }) => [String(webhookId), textOrNull(tenantId)]),
      );
      const these = found.map(
        ({ webhookId, lane }) => sql`(webhook_id = ${String(webhookId)} AND lane = ${String(lane)})`,
      );
      // Asked again: of two who found the same lane, the second one sees here that it is held.
      const claim = sql`
        UPDATE webhook_lanes SET held_until = ${now()} + ${wholeNumber(leaseMs)}, epoch = epoch + 1
        WHERE ${isFree} AND (${sql.join(these, sql` OR `)})
        RETURNING webhook_id AS "webhookId", lane, epoch, changes`;
      return (await write(claim.compile(queries))).map((row) => ({
        webhookId: String(row['webhookId']),
        tenantId: tenants.get(String(row['webhookId'])) ?? null,
        lane: String(row['lane']),
        epoch: Number(row['epoch']),
        changes: Number(row['changes']),
      }));
    },

    async nextDelivery({ webhookId, lane }) {
      const [row] = await read(
        sql`
          SELECT ${columns}, body FROM webhook_deliveries
          WHERE webhook_id = ${webhookId} AND lane = ${lane} AND status = 'waiting'
          ORDER BY key LIMIT 1`.compile(queries),
      );
      return row === undefined ? null : delivery(row);
    },

    async settleDelivery(lane, id, result, then) {
      const { status, attempts, attemptedAt, httpStatus, durationMs, response, problem } = result;
      const rows = await write(
        sql`
          UPDATE webhook_lanes SET ${afterwards(then)} WHERE ${held(lane)} RETURNING epoch`.compile(queries),
        (written) => sql`
          UPDATE webhook_deliveries SET status = ${status}, attempts = ${wholeNumber(attempts)},
            attempted_at = ${wholeNumber(attemptedAt)}, http_status = ${wholeNumber(httpStatus)},
            duration_ms = ${wholeNumber(durationMs)}, response = ${response}, problem = ${problem}
          WHERE id = ${id} AND ${written} RETURNING key`,
      );
      return rows.length > 0;
    },

    async releaseLane(lane, dueInMs) {
      const release = sql`UPDATE webhook_lanes SET ${afterwards({ dueInMs })} WHERE ${held(lane)} RETURNING epoch`;
      await write(release.compile(queries));
    },

    async finishLane(lane) {
      const finish = sql`
        DELETE FROM webhook_lanes WHERE ${held(lane)} AND changes = ${wholeNumber(lane.changes)} RETURNING epoch`;
      return (await write(finish.compile(queries))).length > 0;
    },

    async listDeliveries({ webhookId, status, after, limit }) {
      const before = after !== null && /^\d{1,15}$/.test(after) ? Number(after) : Number.MAX_SAFE_INTEGER;
      // The index has them by their status: of each the newest, and of these the newest.
      const newest = (status === null ? statuses : [status]).map(
        (each) => sql`
          SELECT * FROM (
            SELECT key FROM webhook_deliveries
            WHERE webhook_id = ${webhookId} AND status = ${each} AND key < ${wholeNumber(before)}
            ORDER BY key DESC LIMIT ${limit + 1}) AS newest`,
      );
      const rows = await read(
        sql`
          SELECT ${columns} FROM webhook_deliveries
          WHERE key IN (SELECT key FROM (${sql.join(newest, sql` UNION ALL `)}) AS found ORDER BY key DESC LIMIT ${limit + 1})
          ORDER BY key DESC`.compile(queries),
      );
      const last = rows[limit - 1];
      return {
        items: rows.slice(0, limit).map(summary),
        next: rows.length > limit && last !== undefined ? String(last['key']) : null,
      };
    },

    async getDelivery(webhookId, id) {
      const [row] = await read(
        sql`SELECT ${columns}, body FROM webhook_deliveries WHERE id = ${id} AND webhook_id = ${webhookId}`.compile(
          queries,
        ),
      );
      return row === undefined ? null : delivery(row);
    },

    async replayDeliveries(webhookId, ids) {
      if (ids.length === 0) return 0;
      const rows = await write(
        sql`
          UPDATE webhook_deliveries SET status = 'waiting', attempts = 0
          WHERE webhook_id = ${webhookId} AND id IN (${sql.join(ids)}) AND status <> 'waiting'
          RETURNING key`.compile(queries),
        (written) => sql`
          INSERT INTO webhook_lanes (webhook_id, lane, due_at, held_until, epoch, changes)
          SELECT DISTINCT webhook_id, lane, ${now()}, 0, 0, 0 FROM webhook_deliveries
          WHERE webhook_id = ${webhookId} AND id IN (${sql.join(ids)}) AND ${written} ORDER BY lane
          ON CONFLICT (webhook_id, lane) DO UPDATE SET changes = webhook_lanes.changes + 1
          RETURNING changes`,
      );
      const hurry = sql`
        UPDATE webhook_lanes SET due_at = ${now()}
        WHERE webhook_id = ${webhookId} AND due_at > ${now()} AND lane IN (
          SELECT lane FROM webhook_lanes
          WHERE webhook_id = ${webhookId} AND lane IN (
            SELECT lane FROM webhook_deliveries
            WHERE webhook_id = ${webhookId} AND id IN (${sql.join(ids)}) AND status = 'waiting')
          ORDER BY lane ${locked})
        RETURNING lane`;
      await write(hurry.compile(queries));
      return rows.length;
    },

    async hurryLanes(webhookId, limit) {
      const hurry = sql`
        UPDATE webhook_lanes SET due_at = ${now()}
        WHERE webhook_id = ${webhookId} AND due_at > ${now()} AND lane IN (
          SELECT lane FROM webhook_lanes
          WHERE webhook_id = ${webhookId} AND lane IN (
            SELECT lane FROM (
              SELECT lane FROM webhook_lanes WHERE webhook_id = ${webhookId} AND due_at > ${now()}
              ORDER BY due_at LIMIT ${limit}) AS paused)
          ORDER BY lane ${locked})
        RETURNING lane`;
      return (await write(hurry.compile(queries))).length;
    },

    async listFailed({ webhookId, since, limit }) {
      const rows = await read(
        sql`
          SELECT id FROM webhook_deliveries
          WHERE webhook_id = ${webhookId} AND status = 'failed' AND created_at >= ${wholeNumber(since)}
          ORDER BY created_at, key LIMIT ${limit}`.compile(queries),
      );
      return rows.map(({ id }) => String(id));
    },

    async expireDeliveries({ olderThanMs, limit }) {
      const expire = sql`
        DELETE FROM webhook_deliveries WHERE key IN (
          SELECT key FROM webhook_deliveries
          WHERE created_at < ${now()} - ${wholeNumber(olderThanMs)} AND status <> 'waiting'
          ORDER BY created_at LIMIT ${limit})
        RETURNING key`;
      return (await erase(expire.compile(queries))).length;
    },

    async eraseLane(lane, limit) {
      const removal = sql`
        DELETE FROM webhook_deliveries WHERE key IN (
          SELECT key FROM webhook_deliveries
          WHERE lane = ${lane} AND session IS NULL LIMIT ${limit})
        RETURNING key`;
      return (await erase(removal.compile(queries))).length;
    },

    async listRemovedWebhooks(limit) {
      // From one webhook to the next: each costs the same, however much it was told.
      const next = (after: RawBuilder<unknown>) => sql`
        SELECT min(id) FROM (
          SELECT (SELECT min(webhook_id) FROM webhook_deliveries ${after}) AS id
          UNION ALL SELECT (SELECT min(webhook_id) FROM webhook_lanes ${after})) AS first`;
      const rows = await read(
        sql`
          WITH RECURSIVE told (id) AS (
            SELECT (${next(sql``)})
            UNION ALL
            SELECT (${next(sql`WHERE webhook_id > told.id`)}) FROM told WHERE told.id IS NOT NULL
          )
          SELECT id FROM told WHERE id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM webhooks WHERE webhooks.id = told.id)
          LIMIT ${limit}`.compile(queries),
      );
      return rows.map(({ id }) => String(id));
    },

    async eraseDeliveries(webhookId, limit) {
      const lanes = await erase(
        sql`
          DELETE FROM webhook_lanes WHERE webhook_id = ${webhookId} AND lane IN (
            SELECT lane FROM webhook_lanes WHERE webhook_id = ${webhookId} LIMIT ${limit})
          RETURNING lane`.compile(queries),
      );
      const removal = sql`
        DELETE FROM webhook_deliveries WHERE key IN (
          SELECT key FROM webhook_deliveries WHERE webhook_id = ${webhookId} LIMIT ${limit})
        RETURNING key`;
      return Math.max(lanes.length, (await erase(removal.compile(queries))).length);
    },
  };
}

const numberOrNull = (value: Row[string] | undefined): number | null =>
  value == null ? null : Number(value);
const textOrNull = (value: Row[string] | undefined): string | null => (value == null ? null : String(value));

function summary(row: Row): DeliverySummary {
  const status = row['status'];
  return {
    id: String(row['id']),
    webhookId: String(row['webhookId']),
    eventId: String(row['eventId']),
    type: String(row['type']),
    status: status === 'delivered' || status === 'failed' ? status : 'waiting',
    attempts: Number(row['attempts']),
    createdAt: Number(row['createdAt']),
    attemptedAt: numberOrNull(row['attemptedAt']),
    httpStatus: numberOrNull(row['httpStatus']),
    durationMs: numberOrNull(row['durationMs']),
    response: textOrNull(row['response']),
    problem: textOrNull(row['problem']),
  };
}

const delivery = (row: Row): DeliveryRecord => ({ ...summary(row), body: String(row['body']) });
