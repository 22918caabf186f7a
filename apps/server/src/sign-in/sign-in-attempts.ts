import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  processAuthorizationCodeResponse,
  validateAuthResponse,
} from 'oauth4webapi';
import type { ComposioSettings } from '@parley/protocol/settings/composio-connection';
import type { RemoteSettings } from '@parley/protocol/settings/connection';
import type { SignInRecord } from '../store/settings-store.ts';
import { chooseClient, clientAuth, type RegisteredClient } from './choose-client.ts';
import { redirectUri, type ServiceAddress } from './client-metadata.ts';
import { beginAccount, completeAccount } from './composio-account.ts';
import { discover } from './discover.ts';
import { explained } from './explain-failure.ts';
import { grantOf, tokenRequestOptions } from './grant.ts';
import { oauthFetch } from './oauth-fetch.ts';
import type { Revocations } from './revocations.ts';
import { SignInError } from './sign-in-error.ts';
import { type Grant, type SignInAttempt, type SignInSecrets, signInServerSchema } from './sign-in-secrets.ts';
import { type Holder, signInId, type StoredSignIn, type StoredSignIns } from './stored-sign-ins.ts';

/** How long somebody may take to sign in. */
export const attemptMs = 10 * 60_000;
/** For all that is asked before somebody is sent to sign in, and once they come back. */
const askMs = 30_000;

interface SignInAttemptsDeps {
  readonly stored: StoredSignIns;
  readonly revocations: Revocations;
  readonly fetch: typeof globalThis.fetch;
  readonly address: ServiceAddress;
  /** Tells every process that somebody has signed in, or has not. */
  readonly changed: (record: SignInRecord) => void;
}

/** Who begins to sign in. */
export interface Beginner {
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

/** Sends browsers to where people sign in, and takes what they come back with. */
export class SignInAttempts {
  readonly #deps: SignInAttemptsDeps;

  constructor(deps: SignInAttemptsDeps) {
    this.#deps = deps;
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
    const before = await this.#deps.stored.get(signInId(holder));
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
    const { id } = (await this.#deps.stored.of(holder, url)).record;
    let before: SignInSecrets | null = null;
    const kept = await this.#deps.stored.update(id, ({ record, secrets }) => {
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
    await this.#deps.revocations.forgetAccount(
      connectionId,
      kept === null ? attempt : (replaced?.attempt ?? null),
    );
    if (kept?.secrets.grant === null)
      await this.#deps.revocations.forgetAccount(connectionId, replaced?.grant ?? null);
  }

  /** Takes what an authorization server has sent a browser back with. `maySignIn`: whether who has a session of the console may still do so. */
  async complete(
    query: URLSearchParams,
    browser: string | null,
    maySignIn: (consoleSession: string) => Promise<boolean>,
  ): Promise<Completed & { readonly problem: SignInError | null }> {
    const state = query.get('state') ?? '';
    const [id = ''] = state.split('.');
    const { attempt, stored } = await this.#take(id, state, browser);
    const { consoleSession } = attempt;
    const isAllowed = async () => consoleSession === null || (await maySignIn(consoleSession));
    if (!(await isAllowed())) {
      await this.#deps.revocations.forgetAccount(stored.record.connectionId, attempt);
      throw notAllowed();
    }
    const { tenantId, agentId, connectionId, visitor, sessionId } = stored.record;
    const holder: Holder = { tenantId, agentId, connectionId, visitor, sessionId };
    const { url } = stored.secrets;
    const host = new URL(attempt.server.issuer).host;
    try {
      const grant = await explained(host, () => this.#exchange(attempt, stored, query, state));
      // The server may have taken half a minute.
      if (!(await isAllowed())) {
        await this.#deps.revocations.revoke(connectionId, grant, new URL(url));
        throw notAllowed();
      }
      // Meanwhile somebody may have signed out, or begun at another address, where it must not be shown.
      let before: Grant | null = null;
      const kept = await this.#deps.stored.update(id, ({ secrets }) => {
        before = secrets.grant;
        return secrets.url === url
          ? { status: 'signed-in', problem: null, refreshingUntil: null, secrets: { ...secrets, grant } }
          : null;
      });
      if (!kept) {
        await this.#deps.revocations.revoke(connectionId, grant, new URL(url));
        throw new SignInError('signed-out', 'The sign-in has ended. Sign in again.');
      }
      const replaced = before as Grant | null;
      if (replaced?.account !== grant.account)
        await this.#deps.revocations.forgetAccount(connectionId, replaced);
      return { holder, consoleSession, problem: null };
    } catch (error) {
      if (!(error instanceof SignInError) || error.code === 'not-allowed') throw error;
      const status = error.code === 'declined' ? 'declined' : 'failed';
      await this.#deps.stored.update(id, ({ secrets }) => {
        if (secrets.url !== url) return null;
        // Whoever begins again is registered anew.
        const isForgotten = error.code === 'unknown-client' && secrets.client?.id === attempt.client.id;
        return {
          ...(secrets.grant === null && { status }),
          problem: error.message,
          ...(isForgotten && { secrets: { ...secrets, client: null } }),
        };
      });
      return { holder, consoleSession, problem: error };
    } finally {
      this.#deps.changed(stored.record);
    }
  }

  /**
   * The attempt that this state was made for: it is taken once. Where a browser that was not sent comes back, the account at
   * Composio is of whoever uses that one, and nothing else tells it from an account of whoever was sent: it ends, too.
   */
  async #take(
    id: string,
    state: string,
    browser: string | null,
  ): Promise<{ readonly attempt: SignInAttempt; readonly stored: StoredSignIn }> {
    let attempt: SignInAttempt | null = null;
    let isSent = false;
    const stored = await this.#deps.stored.update(id, ({ secrets }) => {
      const { attempt: found } = secrets;
      attempt = found !== null && matches(found.state, state) ? found : null;
      isSent = attempt !== null && matches(attempt.browser, browser ?? '');
      const isOver = isSent || attempt?.account !== undefined;
      return isOver ? { secrets: { ...secrets, attempt: null } } : null;
    });
    const taken = attempt as SignInAttempt | null;
    if (stored !== null && !isSent)
      await this.#deps.revocations.forgetAccount(stored.record.connectionId, taken);
    if (stored === null || taken === null || !isSent)
      throw new SignInError(
        'failed',
        'This sign-in was not begun in this browser, or it has been used already. Begin again.',
      );
    if (taken.expiresAt < Date.now()) {
      await this.#deps.revocations.forgetAccount(stored.record.connectionId, taken);
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
          await this.#deps.revocations.forgetAccount(record.connectionId, attempt);
          throw error;
        },
      );
    const known = { client_id: client.id };
    const parameters = validateAuthResponse(server, known, query, state);
    const options = tokenRequestOptions(this.#deps.fetch, secrets.url, AbortSignal.timeout(askMs));
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

const notAllowed = () =>
  new SignInError(
    'not-allowed',
    'You are not signed in to the console any more, or may not change this connection. Begin again.',
  );
const newState = (id: string): string => `${id}.${randomBytes(32).toString('base64url')}`;
const digest = (value: string): string => createHash('sha256').update(value).digest('hex');
const matches = (known: string, value: string): boolean =>
  timingSafeEqual(Buffer.from(known), Buffer.from(digest(value)));
