import { maxPageBytes } from '@parley/protocol/bounds';
import { sql } from 'kysely';
import type { AuditRecord } from './audit-store.ts';
import type { ContactField, ContactRecord, ContactStore, Person } from './contact-store.ts';
import { auditEntry } from './create-audit.ts';
import { appointmentOf } from './create-appointments.ts';
import { queueDeliveries } from './create-webhooks.ts';
import type { QueryEngine, Row } from './query-engine.ts';
import { wholeNumber } from './whole-number.ts';

/** What stands for the name of whoever was erased. */
const erasedName = 'Erased';

export function createContacts(engine: QueryEngine): Omit<ContactStore, 'removeContact'> {
  const { queries, read, write, erase, now, contains } = engine;

  async function only(where: ReturnType<typeof sql>): Promise<ContactRecord | null> {
    const [row] = await read(sql`SELECT * FROM contacts WHERE ${where}`.compile(queries));
    return row === undefined ? null : contactOf(row);
  }

  const ofCalendars = ({ tenantId, visitor }: Person, conversations: readonly string[] = []) => sql`
    (visitor = ${visitor} ${conversations.length > 0 ? sql`OR conversation IN (${sql.join(conversations)})` : sql``})
    AND connection_id IN (SELECT id FROM connections WHERE tenant_id = ${tenantId})`;

  return {
    async addContact(contact, deliveries = []) {
      const { id, tenantId, visitor, stage, fields, said, createdAt, seenAt, revision } = contact;
      const rows = await write(
        sql`
          INSERT INTO contacts
            (id, tenant_id, visitor, stage, fields, said, found_by, created_at, seen_at, revision)
          SELECT ${id}, id, ${visitor}, ${stage}, ${JSON.stringify(fields)}, ${JSON.stringify(said)},
            ${foundBy(contact)}, ${wholeNumber(createdAt)}, ${wholeNumber(seenAt)}, ${wholeNumber(revision)}
          FROM tenants WHERE id = ${tenantId}
          ON CONFLICT (tenant_id, visitor) DO NOTHING RETURNING id`.compile(queries),
        ...queueDeliveries(engine, id, deliveries),
      );
      return rows.length > 0;
    },

    getContact: (id) => only(sql`id = ${id}`),

    findContact: ({ tenantId, visitor }) => only(sql`tenant_id = ${tenantId} AND visitor = ${visitor}`),

    async changeContact(contact, deliveries = [], change) {
      const { id, stage, fields, said, seenAt, revision } = contact;
      // What a field said before is nowhere any more.
      const rows = await erase(
        sql`
          UPDATE contacts SET stage = ${stage}, fields = ${JSON.stringify(fields)},
            said = ${JSON.stringify(said)}, found_by = ${foundBy(contact)},
            seen_at = CASE WHEN seen_at > ${wholeNumber(seenAt)} THEN seen_at ELSE ${wholeNumber(seenAt)} END,
            revision = ${wholeNumber(revision + 1)}
          WHERE id = ${id} AND revision = ${wholeNumber(revision)} RETURNING id`.compile(queries),
        ...queueDeliveries(engine, id, deliveries),
        change && auditEntry(change),
      );
      return rows.length > 0;
    },

    async noteSeen(contactId, at) {
      await write(
        sql`
          UPDATE contacts SET seen_at = ${wholeNumber(at)}
          WHERE id = ${contactId} AND seen_at < ${wholeNumber(at)} RETURNING id`.compile(queries),
      );
    },

    async listContacts({ tenantId, stage, search, after, limit, maxLookedAt }) {
      const [at, placeId] = decodePlace(after);
      const ofStage =
        stage === null
          ? sql``
          : 'is' in stage
            ? sql`AND stage = ${stage.is}`
            : stage.isNot.length === 0
              ? sql``
              : sql`AND stage NOT IN (${sql.join(stage.isNot)})`;
      const place = after === null ? sql`` : sql`AND (seen_at, id) < (${wholeNumber(at)}, ${placeId})`;
      const order = sql`ORDER BY seen_at DESC, id DESC`;
      const matching = sql`FROM contacts WHERE tenant_id = ${tenantId} ${ofStage} ${place} ${order}`;
      const found =
        search === null
          ? sql`SELECT * ${matching} LIMIT ${limit + 1}`
          : sql`
              SELECT * FROM (SELECT * ${matching} LIMIT ${maxLookedAt}) AS looked_at
              WHERE ${contains('found_by', search.replaceAll('\0', ''))} ${order} LIMIT ${limit + 1}`;
      const rows = await read(
        sql`
          SELECT * FROM (
            SELECT found.*, count(*) OVER () AS page_found, row_number() OVER (${order}) AS page_row,
              sum(octet_length(fields) + octet_length(said)) OVER (${order}) AS page_bytes
            FROM (${found}) AS found
          ) AS page
          WHERE page_row = 1 OR page_bytes <= ${maxPageBytes} ${order}`.compile(queries),
      );
      const items = rows.slice(0, limit);
      const last = items.at(-1);
      if (last && Number(last['page_found']) > items.length)
        return { items: items.map(contactOf), next: placeOf(last) };
      const [end] =
        search === null
          ? []
          : await read(
              sql`SELECT seen_at, id ${matching} LIMIT 1 OFFSET ${maxLookedAt - 1}`.compile(queries),
            );
      return { items: items.map(contactOf), next: end ? placeOf(end) : null };
    },

    async listUnseenContacts({ tenantId, unseenSince, after, limit }) {
      const [at, placeId] = decodePlace(after);
      const place = after === null ? sql`` : sql`AND (seen_at, id) > (${wholeNumber(at)}, ${placeId})`;
      const rows = await read(
        sql`
          SELECT id, seen_at FROM contacts
          WHERE tenant_id = ${tenantId} AND seen_at < ${wholeNumber(unseenSince)} ${place}
          ORDER BY seen_at, id LIMIT ${limit + 1}`.compile(queries),
      );
      const last = rows[limit - 1];
      return {
        items: rows.slice(0, limit).map(({ id }) => String(id)),
        next: rows.length > limit && last ? placeOf(last) : null,
      };
    },

    async beginErasure(contactId, by, leaseMs) {
      await write(
        sql`
          UPDATE contacts SET erasing_by = ${JSON.stringify(by)}, erasing_until = ${now()} + ${wholeNumber(leaseMs)}
          WHERE id = ${contactId} RETURNING id`.compile(queries),
      );
    },

    async claimErasure(leaseMs) {
      const due = sql`erasing_until <= ${now()}`;
      // Asked again: of two who found the same one, the second sees that it is not due any more.
      const [row] = await write(
        sql`
          UPDATE contacts SET erasing_until = ${now()} + ${wholeNumber(leaseMs)}
          WHERE id = (SELECT id FROM contacts WHERE ${due} ORDER BY erasing_until LIMIT 1) AND ${due}
          RETURNING id, erasing_by`.compile(queries),
      );
      if (row === undefined) return null;
      // Written by `beginErasure` alone.
      return {
        contactId: String(row['id']),
        by: JSON.parse(String(row['erasing_by'])) as AuditRecord['actor'],
      };
    },

    async listSessionsOf({ tenantId, visitor }, { after, limit }) {
      const [at, placeId] = decodePlace(after);
      const place = after === null ? sql`` : sql`AND (created_at, id) < (${wholeNumber(at)}, ${placeId})`;
      const rows = await read(
        sql`
          SELECT id, created_at AS seen_at FROM (
            SELECT id, created_at FROM sessions
            WHERE tenant_id = ${tenantId} AND visitor = ${visitor} AND status <> 'removed'
            UNION ALL
            SELECT id, created_at FROM sessions
            WHERE agent_id IN (SELECT id FROM agents WHERE tenant_id = ${tenantId})
              AND conversation_scope = ${`visitor ${visitor}`} AND conversation_id IS NOT NULL AND status <> 'removed'
          ) AS theirs
          WHERE 1 = 1 ${place} ORDER BY created_at DESC, id DESC LIMIT ${limit + 1}`.compile(queries),
      );
      const last = rows[limit - 1];
      return {
        items: rows.slice(0, limit).map(({ id }) => String(id)),
        next: rows.length > limit && last ? placeOf(last) : null,
      };
    },

    async listFilesOf({ tenantId, visitor }, limit) {
      const rows = await read(
        sql`
          SELECT id FROM files
          WHERE session IS NULL AND tenant_id = ${tenantId} AND visitor = ${visitor} LIMIT ${limit}`.compile(
          queries,
        ),
      );
      return rows.map(({ id }) => String(id));
    },

    async listAppointmentsOf(person, limit, conversations) {
      const rows = await read(
        sql`
          SELECT * FROM appointments WHERE ${ofCalendars(person, conversations)}
          ORDER BY starts_at, id LIMIT ${limit}`.compile(queries),
      );
      return rows.map(appointmentOf);
    },

    async eraseAppointmentsOf(person, conversations) {
      const rows = await erase(
        sql`
          UPDATE appointments SET name = ${erasedName}, email = NULL, note = NULL, visitor = NULL,
            conversation = NULL
          WHERE ${ofCalendars(person, conversations)} RETURNING id`.compile(queries),
      );
      return rows.length;
    },
  };
}

/** What a search looks through. */
const foundBy = ({ visitor, fields, said }: ContactRecord): string =>
  [visitor, ...Object.values(fields).map(({ value }) => value), ...Object.values(said)]
    .join('\n')
    .toLowerCase()
    // No engine's text has it.
    .replaceAll('\0', '');

const placeOf = (row: Row): string => `${String(row['seen_at'])}.${String(row['id'])}`;

function decodePlace(after: string | null): readonly [number, string] {
  const [, at = '0', id = ''] = /^(\d{1,15})\.(.{1,100})$/.exec(after ?? '') ?? [];
  return [Number(at), id];
}

const contactOf = (row: Row): ContactRecord => ({
  id: String(row['id']),
  tenantId: String(row['tenant_id']),
  visitor: String(row['visitor']),
  stage: String(row['stage']),
  // Written by `addContact` and `changeContact` alone.
  fields: JSON.parse(String(row['fields'])) as Record<string, ContactField>,
  said: JSON.parse(String(row['said'])) as Record<string, string>,
  createdAt: Number(row['created_at']),
  seenAt: Number(row['seen_at']),
  revision: Number(row['revision']),
});
