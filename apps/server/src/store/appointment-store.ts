/** What times of appointments are multiples of, in milliseconds. */
export const appointmentGridMs = 5 * 60_000;

export interface Appointment {
  readonly id: string;
  /** The calendar. */
  readonly connectionId: string;
  /** Unix milliseconds on the grid. */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly name: string;
  readonly email: string | null;
  readonly note: string | null;
  /** The verified visitor in whose conversation it was booked; null: nobody in particular. */
  readonly visitor: string | null;
  /** A digest of the id of the session that it was booked in; null: an earlier version booked it, or whose it was is erased. */
  readonly conversation: string | null;
  readonly status: 'booked' | 'cancelled';
  /** Counts its changes. */
  readonly revision: number;
}

export type NewAppointment = Omit<Appointment, 'status' | 'revision'>;

/** `taken`: another appointment of the calendar has a part of the time. `missing`: it is not there, or was cancelled. */
export type Booked = 'done' | 'taken' | 'missing';

/** No two booked appointments of a calendar overlap, whichever processes book them at once. */
export interface AppointmentStore {
  /** Books the same id once, however often it is asked for. Appointments that ended `keepMs` ago are removed with it. */
  bookAppointment(appointment: NewAppointment, keepMs: number): Promise<Booked>;
  moveAppointment(
    connectionId: string,
    id: string,
    to: Pick<Appointment, 'startsAt' | 'endsAt'>,
  ): Promise<Booked>;
  /** False when it is not there, or was cancelled before. */
  cancelAppointment(connectionId: string, id: string): Promise<boolean>;
  getAppointment(connectionId: string, id: string): Promise<Appointment | null>;
  /** What is booked and ends after `from` and begins before `before`: `limit` at most, the first ones. */
  listAppointments(query: {
    readonly connectionId: string;
    readonly from: number;
    readonly before: number;
    readonly limit: number;
  }): Promise<readonly Appointment[]>;
}
