import { setImmediate } from 'node:timers/promises';
import type { Pipeline } from '@parley/protocol/settings/pipeline';
import { contactView } from '../../contact/contact-view.ts';
import { logDigest } from '../../crypto/log-digest.ts';
import { exportEvents } from '../../events/export-events.ts';
import { allRecords } from '../../settings/all-records.ts';
import type { Appointment } from '../../store/appointment-store.ts';
import type { ContactRecord } from '../../store/contact-store.ts';
import type { Store } from '../../store/store.ts';

const pageSize = 50;
/** Appointments that are exported; the calendar has them all. */
const maxAppointments = 1_000;

interface ExportDeps {
  readonly store: Store;
  readonly fileUrl: (id: string) => string;
}

/** All there is of a contact as one JSON object, never holding more than a page of a log. */
export async function* exportContact(
  { store, fileUrl }: ExportDeps,
  contact: ContactRecord,
  pipeline: Pipeline,
): AsyncIterable<string> {
  const appointments = (await appointmentsOf(store, contact)).map(
    ({ startsAt, endsAt, name, email, note, status }) => ({
      startsAt: new Date(startsAt).toISOString(),
      endsAt: new Date(endsAt).toISOString(),
      name,
      email,
      note,
      status,
    }),
  );
  const signIns = await signInsOf(store, contact);
  const head = { contact: contactView(contact, pipeline), appointments, signIns };
  yield `${JSON.stringify(head).slice(0, -1)},"conversations":[`;
  let separator = '\n';
  let after: string | null = null;
  do {
    const page = await store.listSessionsOf(contact, { after, limit: pageSize });
    for (const id of page.items) {
      const session = await store.getSession(id);
      if (!session) continue;
      const { agentId, status, createdAt } = session;
      const about = { id, agentId, interface: session.interface, status };
      const began = { createdAt: new Date(createdAt).toISOString() };
      yield `${separator}${JSON.stringify({ ...about, ...began }).slice(0, -1)},"events":[`;
      separator = ',\n';
      let comma = '\n';
      for await (const event of exportEvents(store, session, { audience: 'full', fileUrl })) {
        yield comma + JSON.stringify(event);
        comma = ',\n';
      }
      yield '],"ratings":[';
      yield* ratingsOf(store, id);
      yield `],"notes":${JSON.stringify(await notesOf(store, id))}}`;
    }
    after = page.next;
  } while (after !== null);
  yield '\n]}\n';
}

/** The first ones, with what they booked before anybody knew who they are. */
async function appointmentsOf(store: Store, contact: ContactRecord): Promise<readonly Appointment[]> {
  const found = new Map<string, Appointment>();
  let after: string | null = null;
  do {
    const page = await store.listSessionsOf(contact, { after, limit: pageSize });
    const booked = await store.listAppointmentsOf(contact, maxAppointments, page.items.map(logDigest));
    for (const each of booked) found.set(each.id, each);
    after = page.next;
    // SQLite answers at once, and others wait.
    await setImmediate();
  } while (after !== null);
  return [...found.values()].toSorted((a, b) => a.startsAt - b.startsAt).slice(0, maxAppointments);
}

/** Where they have signed in, in any agent; what was given for it opens their accounts, and is in no export. */
async function signInsOf({ settings }: Store, { tenantId, visitor }: ContactRecord) {
  const found = [];
  for await (const { agentId, connectionId, status, createdAt } of allRecords(settings.signIns, {
    tenantId,
    visitor,
  }))
    found.push({ agentId, connectionId, status, createdAt });
  return found;
}

/** What the team noted of them beside a conversation. */
async function notesOf(store: Store, sessionId: string) {
  const notes = await store.listNotes(sessionId);
  return notes.map((note) => ({ ...note, at: new Date(note.at).toISOString() }));
}

/** What they thought of the turns of a conversation, in their words. */
async function* ratingsOf(store: Store, sessionId: string): AsyncIterable<string> {
  let comma = '\n';
  let after: string | null = null;
  do {
    const page = await store.listSessionFeedback({ sessionId, after, limit: pageSize });
    for (const { turnId, rating, comment, at } of page.items) {
      yield comma + JSON.stringify({ turnId, rating, comment, at: new Date(at).toISOString() });
      comma = ',\n';
    }
    after = page.next;
  } while (after !== null);
}
