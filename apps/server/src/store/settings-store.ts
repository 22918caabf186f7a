import type { MemberRole } from '@parley/protocol/settings/member';
import type { AgentRecord } from './agent-record.ts';
import type { AuditRecord, AuditStore } from './audit-store.ts';
import type { Page } from './page.ts';
import type { MemberPictureStore } from './member-picture-store.ts';
import type { PasskeyChallengeStore, PasskeyRecord } from './passkey-store.ts';
import type { RevisionStore } from './revision-store.ts';

export interface TenantRecord {
  readonly id: string;
  readonly name: string;
  /** What its providers charge for tokens, as JSON; null or absent: nobody has said. */
  readonly prices?: unknown;
  /** What its team has in common, as JSON; null or absent: nobody has said. */
  readonly team?: unknown;
  /** How it keeps its contacts, as JSON; null or absent: nobody has said. */
  readonly pipeline?: unknown;
  readonly createdAt: string;
}

export interface KeyRecord {
  readonly id: string;
  readonly tenantId: string;
  readonly agentId: string | null;
  readonly kind: 'secret' | 'publishable';
  readonly label: string | null;
  /** SHA-256 of the key, hexadecimal. Unique. */
  readonly digest: string;
  /** The key itself, for publishable keys only. */
  readonly publicKey: string | null;
  readonly last4: string;
  readonly allowedOrigins: readonly string[];
  readonly allowMissingOrigin: boolean;
  /** Chat turns; null: as many as every key has. */
  readonly turnsPerMinute: number | null;
  /** To the hour; null: not since it was made. */
  readonly lastUsedAt: string | null;
  readonly createdAt: string;
}

/** What a key lets in: whoever knows the secret of the digest, to this agent. */
export type KeyRight = Pick<KeyRecord, 'id' | 'digest' | 'agentId'>;

export interface ToolRecord {
  readonly id: string;
  readonly tenantId: string;
  readonly agentId: string;
  readonly name: string;
  readonly config: unknown;
  /** Encrypted header and body secrets; null when none is set. */
  readonly secrets: string | null;
  readonly createdAt: string;
}

/** What an agent knows from. */
export interface SourceRecord {
  readonly id: string;
  readonly tenantId: string;
  readonly agentId: string;
  readonly name: string;
  readonly kind: string;
  readonly config: unknown;
  /** How far it is read. */
  readonly reading: unknown;
  /** Of a website, the pages that its last reading knew of and could not read, or `all` while all are to be read anew; null: nobody has said. */
  readonly unreadPages: unknown;
  readonly createdAt: string;
}

/** What an agent is connected to. */
export interface ConnectionRecord {
  readonly id: string;
  readonly tenantId: string;
  readonly agentId: string;
  readonly name: string;
  readonly kind: string;
  readonly config: unknown;
  /** Encrypted; null when none is set. */
  readonly secrets: string | null;
  /** What came of the last time that it was asked for its tools. */
  readonly state: unknown;
  readonly createdAt: string;
}

/** Whom a connection speaks for at its server. */
export interface SignInRecord {
  readonly id: string;
  readonly tenantId: string;
  readonly agentId: string;
  readonly connectionId: string;
  /** The verified visitor whose it is, or the session of one who is not; both null: the agent's. */
  readonly visitor: string | null;
  readonly sessionId: string | null;
  readonly status: string;
  readonly problem: string | null;
  /** Encrypted. */
  readonly secrets: string | null;
  /** Counts the writes, so that none is made over another one. */
  readonly version: number;
  /** Unix milliseconds, by the store's clock, up to which one process asks for another token; null: none does. */
  readonly refreshingUntil: number | null;
  readonly createdAt: string;
}

/** Where a tenant is told what happens. */
export interface WebhookRecord {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly active: boolean;
  readonly config: unknown;
  /** Encrypted: what it signs with, and signed with before; null: they were lost. */
  readonly secrets: string | null;
  /** How its deliveries have gone. */
  readonly state: unknown;
  readonly createdAt: string;
}

/** Somebody who works in the console. */
export interface MemberRecord {
  readonly id: string;
  /** Null: of the whole service. */
  readonly tenantId: string | null;
  readonly name: string;
  /** The name as it is looked for. Unique. */
  readonly signInName: string;
  readonly role: MemberRole;
  readonly passwordHash: string;
  /** What signing in asks for beside the password, as JSON of `settings/stored-second-factor.ts`; null: nothing. */
  readonly secondFactor: string | null;
  readonly createdAt: string;
}

/** Whoever has the token of the digest may become a member. */
export interface InvitationRecord {
  readonly id: string;
  readonly tenantId: string | null;
  readonly role: MemberRole;
  /** SHA-256 of the token, hexadecimal. Unique. */
  readonly digest: string;
  /** The first one, which the service prints while it has no member. */
  readonly isSetup: boolean;
  readonly expiresAt: string;
  readonly createdAt: string;
}

/** A member's session of the console. */
export interface ConsoleSessionRecord {
  readonly id: string;
  readonly memberId: string;
  /** SHA-256 of the token in the cookie, hexadecimal. Unique. */
  readonly digest: string;
  readonly lastUsedAt: string;
  readonly expiresAt: string;
  readonly createdAt: string;
}

/** With a `change`, a write is in the log of changes exactly if it was made. */
export interface Collection<T extends { readonly id: string }> {
  insert(record: T, change?: AuditRecord): Promise<void>;
  get(id: string): Promise<T | null>;
  /**
   * Ordered by (createdAt, id): at most `limit`, and fewer where they would take more than `maxPageBytes`, but one at
   * least. `after` is the `next` of an earlier page.
   */
  list(query: { where: Partial<T>; after: string | null; limit: number }): Promise<Page<T>>;
  /** Replaces the named fields; null when there is no such record, or one that does not have the fields of `before` any more. */
  update(
    id: string,
    fields: Partial<Omit<T, 'id' | 'tenantId' | 'createdAt'>>,
    change?: AuditRecord,
    before?: Partial<T>,
  ): Promise<T | null>;
  /** Removes the record and all that hangs from it (a tenant: agents, keys, tools, sources, connections, webhooks, members, invitations, what was changed, sessions; a member: sessions of the console, passkeys, their picture; an agent: keys' binding, tools, sources, connections, revisions, draft; its sessions stay, to be ended). Sessions go page by page, as with `SessionStore.removeSession`. False when absent. */
  remove(id: string, change?: AuditRecord): Promise<boolean>;
}

/** Of a tenant whose agents, keys, tools or connections were written: another one after each write, in any process. */
export interface TenantRevision {
  readonly tenantId: string;
  readonly revision: number;
}

export type AgentOfTenant = Pick<AgentRecord, 'id' | 'tenantId'>;

export interface MemberStore extends Collection<MemberRecord> {
  /**
   * Inserts a member in whose place the invitation goes, in one transaction. False, and nothing done, when that is gone
   * or was over when the member was made.
   */
  insertInvited(member: MemberRecord, invitationId: string, change: AuditRecord): Promise<boolean>;
  /**
   * Gives a member another role as long as the member `ownerId` is an owner at that moment: of two owners who take that from
   * each other at once, one stays. Null when there is no such member, or no such owner any more.
   */
  changeRoleAsOwner(
    ownerId: string,
    id: string,
    role: MemberRole,
    change: AuditRecord,
  ): Promise<MemberRecord | null>;
  /** Removes a member on the same condition. False when it was not. */
  removeAsOwner(ownerId: string, id: string, change: AuditRecord): Promise<boolean>;
}

export interface SettingsStore {
  readonly tenants: Collection<TenantRecord>;
  readonly agents: Collection<AgentRecord> & {
    /** Ordered by id, after that of `after`, without the rest of the record; 500 tenants at most. */
    listOfTenants(query: {
      readonly tenantIds: readonly string[];
      readonly after: string | null;
      readonly limit: number;
    }): Promise<readonly AgentOfTenant[]>;
  };
  readonly revisions: RevisionStore;
  readonly keys: Collection<KeyRecord> & {
    byDigest(digest: string): Promise<KeyRecord | null>;
    /** Of those keys that exist, in any order; 500 ids at most. */
    listRights(ids: readonly string[]): Promise<readonly KeyRight[]>;
  };
  readonly tools: Collection<ToolRecord>;
  readonly sources: Collection<SourceRecord>;
  readonly connections: Collection<ConnectionRecord>;
  readonly signIns: Collection<SignInRecord> & {
    /** Those of visitors of whom no session is left, in any order. */
    listForgotten(limit: number): Promise<readonly SignInRecord[]>;
    /**
     * Lets one process ask for another token within `leaseMs`, by the store's clock. Null: another one does, or the record
     * was written since this version of it.
     */
    claimRefresh(id: string, version: number, leaseMs: number): Promise<SignInRecord | null>;
  };
  readonly webhooks: Collection<WebhookRecord>;
  readonly members: MemberStore;
  readonly invitations: Collection<InvitationRecord>;
  readonly consoleSessions: Collection<ConsoleSessionRecord>;
  readonly passkeys: Collection<PasskeyRecord>;
  readonly passkeyChallenges: PasskeyChallengeStore;
  readonly memberPictures: MemberPictureStore;
  readonly audit: AuditStore;
  /** The highest first. A write that commits late may be found behind some that began after it. */
  listTenantRevisions(limit: number): Promise<readonly TenantRevision[]>;
  /** Tells the secret that this store was written under from another; null in a new store. */
  readonly secretCheck: {
    get(): Promise<string | null>;
    /** False: it is `before` no more, and stays as another process has set it. */
    set(check: string, before: string | null): Promise<boolean>;
  };
}
