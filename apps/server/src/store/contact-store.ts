import type { AuditRecord } from './audit-store.ts';
import type { Appointment } from './appointment-store.ts';
import type { Page } from './page.ts';
import type { NewDelivery } from './webhook-store.ts';

/** What was noted of a contact in one field. */
export interface ContactField {
  readonly value: string;
  readonly by: 'agent' | 'team';
}

export interface ContactRecord {
  readonly id: string;
  readonly tenantId: string;
  /** Who they have proved to be; no two contacts of a tenant are the same visitor. */
  readonly visitor: string;
  /** Empty: they were never moved. */
  readonly stage: string;
  readonly fields: Readonly<Record<string, ContactField>>;
  /** What they typed into a form. Nobody has checked it. */
  readonly said: Readonly<Record<string, string>>;
  readonly createdAt: number;
  readonly seenAt: number;
  /** Counts its changes, but not when it was seen. */
  readonly revision: number;
}

export interface ContactErasure {
  readonly contactId: string;
  /** Who has asked for it; null: whoever holds the admin token. */
  readonly by: AuditRecord['actor'];
}

export interface ContactQuery {
  readonly tenantId: string;
  /** `is`: those alone; `isNot`: those of any other stage, and of none. */
  readonly stage: { readonly is: string } | { readonly isNot: readonly string[] } | null;
  /** In the visitor's id, a field or what they said, in small letters. */
  readonly search: string | null;
  /** The `next` of an earlier page. */
  readonly after: string | null;
  readonly limit: number;
  /** Contacts that are looked at for one page: it may end with them, and have fewer than it could. */
  readonly maxLookedAt: number;
}

/** A visitor of a tenant, in whichever of its agents' conversations. */
export interface Person {
  readonly tenantId: string;
  readonly visitor: string;
}

/** Visitors that a tenant knows, and all that is theirs. What webhooks are told of a write is stored with it, in the lane of the contact. */
export interface ContactStore {
  /** False when the visitor is a contact of the tenant already, or the tenant is gone. */
  addContact(contact: ContactRecord, deliveries?: readonly NewDelivery[]): Promise<boolean>;

  getContact(id: string): Promise<ContactRecord | null>;

  findContact(person: Person): Promise<ContactRecord | null>;

  /** Stores the contact as the revision after its own. False when another change came first, or it is gone. */
  changeContact(
    contact: ContactRecord,
    deliveries?: readonly NewDelivery[],
    change?: AuditRecord,
  ): Promise<boolean>;

  /** Whoever was seen later by somebody else stays so. */
  noteSeen(contactId: string, at: number): Promise<void>;

  /** Whoever was seen last first. At most `limit`, and fewer where they would take more than `maxPageBytes`. */
  listContacts(query: ContactQuery): Promise<Page<ContactRecord>>;

  /** The ids of those of a tenant that were last seen before then, whoever has been away longest first. */
  listUnseenContacts(query: {
    readonly tenantId: string;
    readonly unseenSince: number;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<Page<string>>;

  /** Notes who has asked that the contact be erased. Another process may go on with it once `leaseMs` have passed. */
  beginErasure(contactId: string, by: AuditRecord['actor'], leaseMs: number): Promise<void>;

  /** Takes over an erasure whose time has passed, for as long again; null: there is none. */
  claimErasure(leaseMs: number): Promise<ContactErasure | null>;

  /**
   * Nothing is left of it in any of the engine's files, nor of what webhooks were told of it but for `deliveries`. False
   * when it was gone already, or was seen at or after `unseenSince`: then neither they nor the receipt are stored.
   */
  removeContact(
    id: string,
    deliveries?: readonly NewDelivery[],
    receipt?: AuditRecord,
    unseenSince?: number | null,
  ): Promise<boolean>;

  /** The ids of the sessions that are theirs, Chat conversations and those that were reset included, the newest first. */
  listSessionsOf(
    person: Person,
    query: { readonly after: string | null; readonly limit: number },
  ): Promise<Page<string>>;

  /** The ids of files that they have uploaded and no session has: `limit` at most. */
  listFilesOf(person: Person, limit: number): Promise<readonly string[]>;

  /** Their appointments, and those that were booked in these conversations. */
  listAppointmentsOf(
    person: Person,
    limit: number,
    conversations?: readonly string[],
  ): Promise<readonly Appointment[]>;

  /**
   * Their appointments, and those that were booked in these conversations, keep their time and lose whose they are. Resolves
   * with how many did.
   */
  eraseAppointmentsOf(person: Person, conversations?: readonly string[]): Promise<number>;
}
