import type { MemberRole } from '@parley/protocol/settings/member';
import type { Agent } from '../settings/agent.ts';
import type { KeyRecord } from '../store/settings-store.ts';

/** Whoever a request's credential stands for. */
export type Principal = SettingsPrincipal | KeyPrincipal;

/** Those who read and write settings. */
export type SettingsPrincipal = AdminPrincipal | MemberPrincipal;

/** Those who speak to an agent, or read what was said. */
export type KeyPrincipal = SecretKeyPrincipal | PublishableKeyPrincipal;

/** The holder of the admin token, who may act on every tenant. */
export interface AdminPrincipal {
  readonly kind: 'admin';
}

/** Somebody who is signed in to the console. */
export interface MemberPrincipal {
  readonly kind: 'member';
  readonly id: string;
  readonly name: string;
  /** Whose settings exist for them; null: every tenant's. */
  readonly tenantId: string | null;
  readonly role: MemberRole;
  /** The session of the console that the request belongs to. */
  readonly sessionId: string;
}

interface BoundKey {
  readonly key: KeyRecord;
  /** The agent that the key is bound to. */
  readonly agent: Agent;
  readonly owner: { readonly tenantId: string; readonly agentId: string };
  /** Who the visitor has proved to be, or null. */
  readonly visitor: string | null;
  /** Unix milliseconds at which the visitor's token expires; null without one. */
  readonly visitorUntil: number | null;
}

/** A tenant's own server. All of the tenant's visitors share its address, so nothing is counted for it. */
export interface SecretKeyPrincipal extends BoundKey {
  readonly kind: 'secret-key';
  readonly address: null;
}

/** Anybody's browser on a page where the key may be used. */
export interface PublishableKeyPrincipal extends BoundKey {
  readonly kind: 'publishable-key';
  /** The scope under which this agent's limits count the address. */
  readonly address: string;
}
