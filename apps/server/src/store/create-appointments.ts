import { sql } from 'kysely';
import {
  type Appointment,
  appointmentGridMs,
  type AppointmentStore,
  type NewAppointment,
} from './appointment-store.ts';
import type { Also, QueryEngine, Row } from './query-engine.ts';
import { StoreUnavailableError } from './store-error.ts';
import { wholeNumber } from './whole-number.ts';

/** How often a change that another one has overtaken is tried again. */
const maxAttempts = 8;

type Time = Pick<Appointment, 'startsAt' | 'endsAt'>;

/**
 * The times of a calendar that are taken are rows, one for every five minutes, and their primary key is what keeps two
 * appointments apart: the row of an appointment and those of its time are written in one transaction, or none of them.
 */
export function createAppointments({ queries, read, write, erase, now }: QueryEngine): AppointmentStore {
  async function getAppointment(connectionId: string, id: string): Promise<Appointment | null> {
    const query = queries
      .selectFrom('appointments')
      .selectAll()
      .where('id', '=', id)
      .where('connection_id', '=', connectionId);
    const [row] = await read(query.compile());
    return row === undefined ? null : appointmentOf(row);
  }

  /** Whether another appointment has a part of this time. */
  async function isTaken({ connectionId, id, ...time }: Time & Pick<NewAppointment, 'connectionId' | 'id'>) {
    const query = sql`
      SELECT slot FROM appointment_slots
      WHERE connection_id = ${connectionId} AND slot >= ${firstSlot(time)} AND slot < ${endSlot(time)}
        AND appointment_id <> ${id} LIMIT 1`;
    return (await read(query.compile(queries))).length > 0;
  }

  const take =
    (connectionId: string, id: string, slots: readonly number[]): Also =>
    (written) =>
      sql`
      INSERT INTO appointment_slots (connection_id, slot, appointment_id)
      SELECT ${connectionId}, column1, ${id} FROM (VALUES ${sql.join(slots.map((slot) => sql`(${wholeNumber(slot)})`))}) AS taken
      WHERE ${written}`;

  return {
    getAppointment,

    async bookAppointment(appointment, keepMs) {
      const { id, connectionId, startsAt, endsAt, name, email, note, visitor, conversation } = appointment;
      const old = sql`DELETE FROM appointments WHERE connection_id = ${connectionId} AND ends_at < ${now()} - ${keepMs}`;
      await erase(old.compile(queries));
      const insert = sql`
        INSERT INTO appointments (id, connection_id, starts_at, ends_at, name, email, note, visitor, conversation,
          status, revision)
        SELECT ${id}, id, ${wholeNumber(startsAt)}, ${wholeNumber(endsAt)}, ${name}, ${email}, ${note}, ${visitor},
          ${conversation}, 'booked', 0
        FROM connections WHERE id = ${connectionId} RETURNING id`;
      try {
        const rows = await write(insert.compile(queries), take(connectionId, id, slotsOf(appointment)));
        return rows.length > 0 ? 'done' : 'missing';
      } catch (error) {
        if (error instanceof StoreUnavailableError) throw error;
        if ((await getAppointment(connectionId, id))?.status === 'booked') return 'done';
        if (await isTaken(appointment)) return 'taken';
        throw error;
      }
    },

    async moveAppointment(connectionId, id, to) {
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const before = await getAppointment(connectionId, id);
        if (before?.status !== 'booked') return 'missing';
        if (before.startsAt === to.startsAt && before.endsAt === to.endsAt) return 'done';
        const had = new Set(slotsOf(before));
        const added = slotsOf(to).filter((slot) => !had.has(slot));
        const update = sql`
          UPDATE appointments
          SET starts_at = ${wholeNumber(to.startsAt)}, ends_at = ${wholeNumber(to.endsAt)}, revision = revision + 1
          WHERE id = ${id} AND status = 'booked' AND revision = ${wholeNumber(before.revision)} RETURNING id`;
        const release: Also = (written) => sql`
          DELETE FROM appointment_slots
          WHERE appointment_id = ${id} AND (slot < ${firstSlot(to)} OR slot >= ${endSlot(to)}) AND ${written}`;
        try {
          const also = added.length > 0 ? take(connectionId, id, added) : undefined;
          if ((await write(update.compile(queries), release, also)).length > 0) return 'done';
        } catch (error) {
          if (error instanceof StoreUnavailableError) throw error;
          if (await isTaken({ connectionId, id, ...to })) return 'taken';
          throw error;
        }
      }
      return 'taken';
    },

    async cancelAppointment(connectionId, id) {
      const update = sql`
        UPDATE appointments SET status = 'cancelled', revision = revision + 1
        WHERE id = ${id} AND connection_id = ${connectionId} AND status = 'booked' RETURNING id`;
      const rows = await write(
        update.compile(queries),
        (written) => sql`DELETE FROM appointment_slots WHERE appointment_id = ${id} AND ${written}`,
      );
      return rows.length > 0;
    },

    async listAppointments({ connectionId, from, before, limit }) {
      const query = queries
        .selectFrom('appointments')
        .selectAll()
        .where('connection_id', '=', connectionId)
        .where('status', '=', 'booked')
        .where('ends_at', '>', from)
        .where('starts_at', '<', before)
        .orderBy('starts_at')
        .limit(limit);
      return (await read(query.compile())).map(appointmentOf);
    },
  };
}

const firstSlot = ({ startsAt }: Time) => wholeNumber(Math.floor(startsAt / appointmentGridMs));
const endSlot = ({ endsAt }: Time) => wholeNumber(Math.ceil(endsAt / appointmentGridMs));

function slotsOf({ startsAt, endsAt }: Time): number[] {
  const first = Math.floor(startsAt / appointmentGridMs);
  const count = Math.ceil(endsAt / appointmentGridMs) - first;
  return Array.from({ length: count }, (_, index) => first + index);
}

export function appointmentOf(row: Row): Appointment {
  return {
    id: String(row['id']),
    connectionId: String(row['connection_id']),
    startsAt: Number(row['starts_at']),
    endsAt: Number(row['ends_at']),
    name: String(row['name']),
    email: row['email'] === null ? null : String(row['email']),
    note: row['note'] === null ? null : String(row['note']),
    visitor: row['visitor'] === null ? null : String(row['visitor']),
    conversation: row['conversation'] == null ? null : String(row['conversation']),
    status: row['status'] === 'booked' ? 'booked' : 'cancelled',
    revision: Number(row['revision']),
  };
}
