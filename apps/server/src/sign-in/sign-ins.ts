import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  customFetch,
  generateRandomCodeVerifier,
  processAuthorizationCodeResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  revocationRequest,
  type TokenEndpointResponse,
  validateAuthResponse,
} from 'oauth4webapi';
import type { ComposioSettings } from '@parley/protocol/settings/composio-connection';
import type { RemoteSettings } from '@parley/protocol/settings/connection';
import { fillPath } from '@parley/protocol/paths';
import { signInPagePattern } from '@parley/protocol/sign-in-paths';
import { z } from 'zod';
import type { Bus } from '../bus/bus.ts';
import { unlessAborted } from '../egress/unless-aborted.ts';
import type { Secrets } from '../crypto/secrets.ts';
import { allRecords } from '../settings/all-records.ts';
import { connectionOf } from '../settings/connection.ts';
import type { SettingsStore, SignInRecord } from '../store/settings-store.ts';
import { chooseClient, clientAuth, type RegisteredClient } from './choose-client.ts';
import { redirectUri, type ServiceAddress } from './client-metadata.ts';
import { beginAccount, completeAccount, forgetAccount } from './composio-account.ts';
import { discover, insecureIf } from './discover.ts';
import { explainFailure } from './explain-failure.ts';
import { oauthFetch } from './oauth-fetch.ts';
import { SignInError } from './sign-in-error.ts';
import { type Grant, type SignInAttempt, type SignInSecrets, signInServerSchema } from './sign-in-secrets.ts';
import { type Holder, signInId, type StoredSignIn, StoredSignIns } from './stored-sign-ins.ts';

/** How long somebody may take to sign in. */
export const attemptMs = 10 * 60_000;
/** For all that is asked before somebody is sent to sign in, and for one refresh. */
const askMs = 30_000;
/** For which no other process asks for the same token: longer than it may take. */
const refreshMs = askMs + 5_000;
const refreshPollMs = 100;
/** A token that is about to expire would do so on its way. */
const earlyMs = 30_000;
/** What is revoked at a server that does not answer is forgotten all the same. */
const revokeMs = 5_000;
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

/** Who begins to sign in. */
interface Beginner {
  /** What the cookie of the browser holds. */
  readonly browser: string;
  /** Null: no member's. */
  readonly consoleSession: string | null;
  /** Of the service, as the browser has it; the cookie is known there alone. */
  readonly origin: string;
}

/** Whoever signed in, or did not. */
export interface Completed {
  readonly holder: Holder;
  readonly consoleSession: string | null;
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
  /** Of this process, by id and address. */
  readonly #refreshing = new Map<string, Promise<Grant>>();

  constructor(deps: SignInsDeps) {
    this.#deps = deps;
    this.#stored = new StoredSignIns(deps.records, deps.secrets);
  }

  /** Where to send the browser. What was begun before is given up. */
  async begin(
    holder: Holder,
    url: string,
    by: Beginner,
    registered: RegisteredClient | null = null,
  ): Promise<URL> {
    const serverUrl = new URL(url);
    const fetch = oauthFetch(this.#deps.fetch, AbortSignal.timeout(askMs));
    const before = await this.#stored.get(signInId(holder));
    const known = { registered, before: before?.secrets.client ?? null };
    const found = await explained(serverUrl.host, async () => {
      const { server, ...rest } = await discover(url, fetch, registered?.issuer ?? null);
      const address = { ...this.#deps.address, publicUrl: by.origin };
      return { ...rest, server, client: await chooseClient(server, known, { address, serverUrl, fetch }) };
    });
    const state = newState(signInId(holder));
    const verifier = generateRandomCodeVerifier();
    const attempt: SignInAttempt = {
      state: digest(state),
      browser: digest(by.browser),
      verifier,
      client: found.client,
      server: signInServerSchema.parse(found.server),
      resource: found.resource,
      scope: found.scope,
      expiresAt: Date.now() + attemptMs,
      consoleSession: by.consoleSession,
    };
    await this.#keepAttempt(holder, url, attempt);
    return authorizationUrl(attempt, { state, challenge: await calculatePKCECodeChallenge(verifier) });
  }

  /** The same for a connection of whatever kind. */
  async beginAt(connection: RemoteSettings, holder: Holder, by: Beginner): Promise<URL> {
    if (connection.kind === 'composio') return this.#beginAccount(holder, connection, by);
    const { clientId: id, clientIssuer: issuer, clientSecret } = connection;
    if (id === undefined) return this.begin(holder, connection.url, by);
    if (issuer === undefined)
      throw new SignInError('failed', 'Nobody has entered which authorization server knows the client.');
    return this.begin(holder, connection.url, by, { id, secret: clientSecret ?? null, issuer });
  }

  /** The same where an account is connected at Composio, which keeps what is given for it. */
  async #beginAccount(holder: Holder, connection: ComposioSettings, by: Beginner): Promise<URL> {
    const userId = signInId(holder);
    const state = newState(userId);
    const address = { ...this.#deps.address, publicUrl: by.origin };
    const { to, attempt } = await beginAccount(
      connection,
      { userId, redirectUri: redirectUri(address), state },
      this.#deps.fetch,
      AbortSignal.timeout(askMs),
    );
    await this.#keepAttempt(holder, connection.url, {
      ...attempt,
      state: digest(state),
      browser: digest(by.browser),
      verifier: '',
      scope: null,
      expiresAt: Date.now() + attemptMs,
      consoleSession: by.consoleSession,
    });
    return to;
  }

  async #keepAttempt(holder: Holder, url: string, attempt: SignInAttempt): Promise<void> {
    const { id } = (await this.#stored.of(holder, url)).record;
    let before: SignInSecrets | null = null;
    const kept = await this.#stored.update(id, ({ record, secrets }) => {
      before = secrets;
      return {
        // Who has declined may think again, and nobody has signed in at another address.
        ...((record.status === 'declined' || secrets.url !== url) && { status: 'signed-out', problem: null }),
        // What was given for another address is worth nothing at this one.
        secrets: {
          url,
          client: attempt.client,
          attempt,
          grant: secrets.url === url ? secrets.grant : null,
        },
      };
    });
    const { connectionId } = holder;
    const replaced = before as SignInSecrets | null;
    await this.#forgetAccount(connectionId, kept === null ? attempt : (replaced?.attempt ?? null));
    if (kept?.secrets.grant === null) await this.#forgetAccount(connectionId, replaced?.grant ?? null);
  }

  /** Takes what an authorization server has sent a browser back with. `isSignedIn`: whether a session of the console goes on. */
  async complete(
    query: URLSearchParams,
    browser: string | null,
    isSignedIn: (consoleSession: string) => Promise<boolean>,
  ): Promise<Completed & { readonly problem: SignInError | null }> {
    const state = query.get('state') ?? '';
    const [id = ''] = state.split('.');
    const { attempt, stored } = await this.#take(id, state, browser);
    const { consoleSession } = attempt;
    if (consoleSession !== null && !(await isSignedIn(consoleSession))) {
      await this.#forgetAccount(stored.record.connectionId, attempt);
      throw new SignInError(
        'failed',
        'You are not signed in to the console any more. Sign in, and begin again.',
      );
    }
    const { tenantId, agentId, connectionId, visitor, sessionId } = stored.record;
    const holder: Holder = { tenantId, agentId, connectionId, visitor, sessionId };
    const { url } = stored.secrets;
    const host = new URL(attempt.server.issuer).host;
    try {
      const grant = await explained(host, () => this.#exchange(attempt, stored, query, state));
      // Meanwhile somebody may have signed out, or begun at another address, where it must not be shown.
      let before: Grant | null = null;
      const kept = await this.#stored.update(id, ({ secrets }) => {
        before = secrets.grant;
        return secrets.url === url
          ? { status: 'signed-in', problem: null, refreshingUntil: null, secrets: { ...secrets, grant } }
          : null;
      });
      if (!kept) {
        await this.#revoke(connectionId, grant, new URL(url));
        throw new SignInError('signed-out', 'The sign-in has ended. Sign in again.');
      }
      const replaced = before as Grant | null;
      if (replaced?.account !== grant.account) await this.#forgetAccount(connectionId, replaced);
      return { holder, consoleSession, problem: null };
    } catch (error) {
      if (!(error instanceof SignInError)) throw error;
      const status = error.code === 'declined' ? 'declined' : 'failed';
      await this.#stored.update(id, ({ secrets }) => {
        if (secrets.url !== url) return null;
        return secrets.grant === null ? { status, problem: error.message } : { problem: error.message };
      });
      return { holder, consoleSession, problem: error };
    } finally {
      this.#changed(stored.record);
    }
  }

  /** An access token for the address, another one than `rejected`. */
  async token(
    holder: Omit<Holder, 'tenantId' | 'agentId'>,
    url: string,
    rejected: string | null,
  ): Promise<string> {
    const id = signInId(holder);
    const stored = await this.#stored.get(id);
    const grant = stored?.secrets.url === url ? stored.secrets.grant : null;
    if (grant === null) throw new SignInError('signed-out', 'Nobody has signed in to it yet.');
    if (isFresh(grant) && grant.accessToken !== rejected) return grant.accessToken;
    const key = `${id} ${url}`;
    const running = this.#refreshing.get(key);
    if (running) return (await running).accessToken;
    const refreshing = this.#refreshed(id, url, grant.accessToken).finally(() =>
      this.#refreshing.delete(key),
    );
    this.#refreshing.set(key, refreshing);
    return (await refreshing).accessToken;
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
      grant && this.#revoke(connectionId, grant, new URL(url)),
      this.#forgetAccount(connectionId, attempt),
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

  /** The attempt that this state was made for: it is taken once. */
  async #take(
    id: string,
    state: string,
    browser: string | null,
  ): Promise<{ readonly attempt: SignInAttempt; readonly stored: StoredSignIn }> {
    let attempt: SignInAttempt | null = null;
    const stored = await this.#stored.update(id, ({ secrets }) => {
      const { attempt: found } = secrets;
      const isMeant = found !== null && matches(found.state, state) && matches(found.browser, browser ?? '');
      attempt = isMeant ? found : null;
      return isMeant ? { secrets: { ...secrets, attempt: null } } : null;
    });
    const taken = attempt as SignInAttempt | null;
    if (stored === null || taken === null)
      throw new SignInError(
        'failed',
        'This sign-in was not begun in this browser, or it has been used already. Begin again.',
      );
    if (taken.expiresAt < Date.now()) {
      await this.#forgetAccount(stored.record.connectionId, taken);
      throw new SignInError('failed', 'This sign-in took more than ten minutes. Begin again.');
    }
    return { attempt: taken, stored };
  }

  async #exchange(
    attempt: SignInAttempt,
    { record, secrets }: StoredSignIn,
    query: URLSearchParams,
    state: string,
  ): Promise<Grant> {
    const { server, client, verifier, resource, account } = attempt;
    if (account !== undefined)
      return completeAccount(attempt, account, this.#deps.fetch, AbortSignal.timeout(askMs)).catch(
        async (error: unknown) => {
          await this.#forgetAccount(record.connectionId, attempt);
          throw error;
        },
      );
    const known = { client_id: client.id };
    const parameters = validateAuthResponse(server, known, query, state);
    const options = this.#requestOptions(secrets.url, AbortSignal.timeout(askMs));
    const response = await authorizationCodeGrantRequest(
      server,
      known,
      clientAuth(client),
      parameters,
      client.redirectUri,
      verifier,
      { ...options, additionalParameters: { resource } },
    );
    const tokens = await processAuthorizationCodeResponse(server, known, response);
    return grantOf(tokens, { client, server, resource, refreshToken: null });
  }

  /** One process asks, and the others wait for what it was given. */
  async #refreshed(id: string, url: string, old: string): Promise<Grant> {
    const deadline = Date.now() + refreshMs;
    while (Date.now() < deadline) {
      const stored = await this.#stored.get(id);
      const grant = stored?.secrets.url === url ? stored.secrets.grant : null;
      if (!stored || grant === null)
        throw new SignInError('signed-out', 'The sign-in has ended. Sign in again.');
      if (grant.accessToken !== old) return grant;
      if (grant.refreshToken === null) return this.#ended(id, grant, 'It has expired. Sign in again.');
      const { refreshingUntil } = stored.record;
      if (refreshingUntil !== null && refreshingUntil > Date.now()) {
        await setTimeout(refreshPollMs);
        continue;
      }
      const claimed = await this.#stored.change(stored, { refreshingUntil: Date.now() + refreshMs });
      if (claimed) return this.#refresh(stored.record, grant, url);
    }
    throw new SignInError('failed', 'The sign-in could not be renewed in time.');
  }

  async #refresh({ id, connectionId }: SignInRecord, grant: Grant, url: string): Promise<Grant> {
    const { server, client, resource, refreshToken } = grant;
    const host = new URL(server.issuer).host;
    try {
      const fresh = await explained(host, async () => {
        const known = { client_id: client.id };
        const options = this.#requestOptions(url, AbortSignal.timeout(askMs));
        const response = await refreshTokenGrantRequest(
          server,
          known,
          clientAuth(client),
          refreshToken ?? '',
          {
            ...options,
            additionalParameters: { resource },
          },
        );
        return grantOf(await processRefreshTokenResponse(server, known, response), grant);
      });
      // Whoever signed in anew meanwhile has something better.
      const kept = await this.#stored.update(id, ({ secrets }) =>
        secrets.grant?.refreshToken === refreshToken
          ? { refreshingUntil: null, problem: null, secrets: { ...secrets, grant: fresh } }
          : { refreshingUntil: null },
      );
      if (kept) return fresh;
      await this.#revoke(connectionId, fresh, new URL(url));
      throw new SignInError('signed-out', 'The sign-in has ended. Sign in again.');
    } catch (error) {
      if (error instanceof SignInError && error.code === 'signed-out')
        return this.#ended(id, grant, error.message);
      await this.#stored.update(id, () => ({ refreshingUntil: null }));
      throw error;
    }
  }

  /** The server takes back what it gave. */
  async #ended(id: string, grant: Grant, problem: string): Promise<never> {
    const ended = await this.#stored.update(id, ({ secrets }) =>
      secrets.grant?.accessToken === grant.accessToken
        ? { status: 'signed-out', problem, refreshingUntil: null, secrets: { ...secrets, grant: null } }
        : { refreshingUntil: null },
    );
    if (ended) this.#changed(ended.record);
    if (ended?.secrets.grant === null) await this.#forgetAccount(ended.record.connectionId, grant);
    throw new SignInError('signed-out', problem);
  }

  /** Composio would keep what nobody here could name any more. */
  async #forgetAccount(connectionId: string, given: Pick<Grant, 'client' | 'account'> | null): Promise<void> {
    if (given?.account === undefined) return;
    const { connections, secrets, fetch } = this.#deps;
    const connection = await connections
      .get(connectionId)
      .then((record) => record && connectionOf(record, secrets))
      .catch(() => null);
    await forgetAccount(given, given.account, connection, fetch, AbortSignal.timeout(revokeMs));
  }

  async #revoke(connectionId: string, grant: Grant, url: URL): Promise<void> {
    const { server, client, accessToken, refreshToken, account } = grant;
    if (account !== undefined) return this.#forgetAccount(connectionId, grant);
    if (server.revocation_endpoint === undefined) return;
    const options = this.#requestOptions(url.href, AbortSignal.timeout(revokeMs));
    const known = { client_id: client.id };
    const tokens = [refreshToken, accessToken].filter((token) => token !== null);
    // Nobody waits for what a server says of a token that is forgotten here.
    await Promise.allSettled(
      tokens.map((token) => revocationRequest(server, known, clientAuth(client), token, options)),
    );
  }

  #changed({ id, tenantId }: SignInRecord): void {
    this.#deps.bus.publish({ topic: 'settingsChanged', kind: 'sign-in', id, tenantId });
  }

  #requestOptions(url: string, signal: AbortSignal) {
    return { [customFetch]: oauthFetch(this.#deps.fetch, signal), ...insecureIf(new URL(url)) };
  }
}

function authorizationUrl(
  { server, client, resource, scope }: SignInAttempt,
  { state, challenge }: { readonly state: string; readonly challenge: string },
): URL {
  const url = new URL(server.authorization_endpoint ?? '');
  const parameters = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: client.redirectUri,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource,
    ...(scope !== null && { scope }),
    // As OpenID Connect asks of whoever wants to come back without the person.
    ...(scope?.split(' ').includes('offline_access') && { prompt: 'consent' }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

const isFresh = ({ expiresAt }: Grant): boolean => expiresAt === null || expiresAt - earlyMs > Date.now();

function grantOf(
  { access_token, refresh_token, expires_in }: TokenEndpointResponse,
  { client, server, resource, refreshToken }: Pick<Grant, 'client' | 'server' | 'resource' | 'refreshToken'>,
): Grant {
  return {
    client,
    server,
    resource,
    accessToken: access_token,
    refreshToken: refresh_token ?? refreshToken,
    expiresAt: expires_in === undefined ? null : Date.now() + expires_in * 1_000,
  };
}

const newState = (id: string): string => `${id}.${randomBytes(32).toString('base64url')}`;
const digest = (value: string): string => createHash('sha256').update(value).digest('hex');
const matches = (known: string, value: string): boolean =>
  timingSafeEqual(Buffer.from(known), Buffer.from(digest(value)));

async function explained<Result>(host: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw explainFailure(error, host);
  }
}
