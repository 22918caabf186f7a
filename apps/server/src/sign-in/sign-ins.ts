import { setTimeout } from 'node:timers/promises';
import type { RemoteSettings } from '@parley/protocol/settings/connection';
import { fillPath } from '@parley/protocol/paths';
import { signInPagePattern } from '@parley/protocol/sign-in-paths';
import { z } from 'zod';
import type { Bus } from '../bus/bus.ts';
import { unlessAborted } from '../egress/unless-aborted.ts';
import type { Secrets } from '../crypto/secrets.ts';
import { allRecords } from '../settings/all-records.ts';
import type { SettingsStore, SignInRecord } from '../store/settings-store.ts';
import { AccessTokens } from './access-tokens.ts';
import type { RegisteredClient } from './choose-client.ts';
import type { ServiceAddress } from './client-metadata.ts';
import { Revocations } from './revocations.ts';
import { type Beginner, type Completed, SignInAttempts } from './sign-in-attempts.ts';
import type { SignInError } from './sign-in-error.ts';
import { type Holder, signInId, StoredSignIns } from './stored-sign-ins.ts';

const revokeAllMs = 15_000;
const revokedAtOnce = 20;
const forgottenPage = 100;
/** However many messages of the bus are lost. */
const lookAgainMs = 2_000;
const linkContext = 'sign-in link';

const linkSchema = z.strictObject({
  tenantId: z.string(),
  agentId: z.string(),
  connectionId: z.string(),
  visitor: z.string().nullable(),
  sessionId: z.string().nullable(),
  expiresAt: z.number(),
});

interface SignInsDeps {
  readonly records: SettingsStore['signIns'];
  readonly connections: Pick<SettingsStore['connections'], 'get'>;
  readonly secrets: Secrets;
  readonly fetch: typeof globalThis.fetch;
  readonly address: ServiceAddress;
  /** Tells every process that somebody has signed in or out. */
  readonly bus: Pick<Bus, 'publish' | 'subscribe'>;
}

/** What may be said of a sign-in. */
export interface SignInView {
  readonly status: 'signed-in' | 'signed-out' | 'declined' | 'failed';
  readonly problem: string | null;
}

/** Signs agents and visitors in at the servers of connections, as OAuth 2.1 has it, and keeps what they were given. Whatever goes wrong is a `SignInError`. */
export class SignIns {
  readonly #deps: SignInsDeps;
  readonly #stored: StoredSignIns;
  readonly #revocations: Revocations;
  readonly #attempts: SignInAttempts;
  readonly #tokens: AccessTokens;

  constructor(deps: SignInsDeps) {
    this.#deps = deps;
    this.#stored = new StoredSignIns(deps.records, deps.secrets);
    this.#revocations = new Revocations(deps);
    const { fetch, address } = deps;
    const shared = {
      stored: this.#stored,
      revocations: this.#revocations,
      fetch,
      changed: (record: SignInRecord) => this.#changed(record),
    };
    this.#attempts = new SignInAttempts({ ...shared, address });
    this.#tokens = new AccessTokens(shared);
  }

  /** Where to send the browser. What was begun before is given up. */
  begin(holder: Holder, url: string, by: Beginner, registered: RegisteredClient | null = null): Promise<URL> {
    return this.#attempts.begin(holder, url, by, registered);
  }

  /** The same for a connection of whatever kind. */
  beginAt(connection: RemoteSettings, holder: Holder, by: Beginner): Promise<URL> {
    return this.#attempts.beginAt(connection, holder, by);
  }

  /** Takes what an authorization server has sent a browser back with. `maySignIn`: whether who has a session of the console may still do so. */
  complete(
    query: URLSearchParams,
    browser: string | null,
    maySignIn: (consoleSession: string) => Promise<boolean>,
  ): Promise<Completed & { readonly problem: SignInError | null }> {
    return this.#attempts.complete(query, browser, maySignIn);
  }

  /** An access token for the address, another one than `rejected`. */
  token(holder: Omit<Holder, 'tenantId' | 'agentId'>, url: string, rejected: string | null): Promise<string> {
    return this.#tokens.token(holder, url, rejected);
  }

  async view(holder: Omit<Holder, 'tenantId' | 'agentId'>, url: string): Promise<SignInView> {
    const stored = await this.#stored.get(signInId(holder));
    if (!stored || stored.secrets.url !== url) return { status: 'signed-out', problem: null };
    const { status, problem } = stored.record;
    return { status: status as SignInView['status'], problem };
  }

  /** Where a visitor begins to sign in: whoever has the address may, as that visitor, until it expires. */
  link(holder: Holder, expiresAt: number): string {
    const { secrets, address } = this.#deps;
    const token = secrets.encrypt(JSON.stringify({ ...holder, expiresAt }), linkContext);
    return address.publicUrl + fillPath(signInPagePattern(address.platform), token);
  }

  /** Whose sign-in an address is for, or null for one that nobody was given, or that has expired. */
  holderOf(token: string): Holder | null {
    try {
      const link = linkSchema.parse(JSON.parse(this.#deps.secrets.decrypt(token, linkContext)));
      const { expiresAt, ...holder } = link;
      return expiresAt > Date.now() ? holder : null;
    } catch {
      return null;
    }
  }

  /** Resolves once the holder has signed in for the address, or has declined to; rejects when aborted. */
  async settled(
    holder: Pick<Holder, 'connectionId' | 'visitor' | 'sessionId'>,
    url: string,
    signal: AbortSignal,
  ): Promise<'authorized' | 'declined'> {
    const id = signInId(holder);
    const before = (await this.#stored.get(id))?.record.version ?? -1;
    for (;;) {
      const { promise: news, resolve } = Promise.withResolvers<void>();
      const unsubscribe = this.#deps.bus.subscribe('settingsChanged', (message) => {
        if (message.id === id) resolve();
      });
      try {
        const stored = await this.#stored.get(id);
        if (stored?.secrets.url === url && stored.secrets.grant !== null) return 'authorized';
        if (stored?.record.status === 'declined' && stored.record.version > before) return 'declined';
        // A message may be lost.
        await unlessAborted(Promise.race([news, setTimeout(lookAgainMs, undefined, { ref: false })]), signal);
      } finally {
        unsubscribe();
      }
    }
  }

  /** Forgets what the holder was given, and tells the server so. */
  async signOut(id: string): Promise<void> {
    const stored = await this.#stored.get(id);
    if (stored === null || !(await this.#stored.remove(id))) return;
    this.#changed(stored.record);
    const { grant, attempt, url } = stored.secrets;
    const { connectionId } = stored.record;
    await Promise.all([
      grant && this.#revocations.revoke(connectionId, grant, new URL(url)),
      this.#revocations.forgetAccount(connectionId, attempt),
    ]);
  }

  /** The same for many: a server that answers none of them is asked for some of them only. */
  async #signOutEach(ids: readonly string[]): Promise<void> {
    const end = Date.now() + revokeAllMs;
    for (let at = 0; at < ids.length; at += revokedAtOnce) {
      const some = ids.slice(at, at + revokedAtOnce);
      await Promise.all(some.map((id) => (Date.now() < end ? this.signOut(id) : this.#stored.remove(id))));
    }
  }

  /** The same for everybody who has signed in by this connection. */
  async signOutAll(connectionId: string): Promise<void> {
    const ids: string[] = [];
    for await (const { id } of allRecords(this.#deps.records, { connectionId })) ids.push(id);
    await this.#signOutEach(ids);
  }

  /** The same for what was given to a session that is gone, and to its visitor if it was their last. */
  async forgetSession(session: {
    readonly id: string;
    readonly agentId: string;
    readonly visitor: string | null;
    readonly isLast: boolean;
  }): Promise<void> {
    const { id, agentId, visitor, isLast } = session;
    const ids: string[] = [];
    for await (const record of allRecords(this.#deps.records, { sessionId: id })) ids.push(record.id);
    if (visitor !== null && isLast)
      for await (const record of allRecords(this.#deps.records, { agentId, visitor })) ids.push(record.id);
    await this.#signOutEach(ids);
  }

  /** The same for a visitor, in all of a tenant's agents: how many it were. */
  async forgetVisitor({
    tenantId,
    visitor,
  }: {
    readonly tenantId: string;
    readonly visitor: string;
  }): Promise<number> {
    const ids: string[] = [];
    for await (const { id } of allRecords(this.#deps.records, { tenantId, visitor })) ids.push(id);
    await this.#signOutEach(ids);
    return ids.length;
  }

  /** The same for visitors of whom no session is left. */
  async forget(): Promise<void> {
    for (;;) {
      const forgotten = await this.#deps.records.listForgotten(forgottenPage);
      await this.#signOutEach(forgotten.map(({ id }) => id));
      if (forgotten.length < forgottenPage) return;
    }
  }

  #changed({ id, tenantId }: SignInRecord): void {
    this.#deps.bus.publish({ topic: 'settingsChanged', kind: 'sign-in', id, tenantId });
  }
}
