import { setTimeout } from 'node:timers/promises';
import { processRefreshTokenResponse, refreshTokenGrantRequest } from 'oauth4webapi';
import type { SignInRecord } from '../store/settings-store.ts';
import { StoreUnavailableError } from '../store/store-error.ts';
import { clientAuth } from './choose-client.ts';
import { explained } from './explain-failure.ts';
import { grantOf, isFresh, tokenRequestOptions } from './grant.ts';
import type { Revocations } from './revocations.ts';
import { SignInError } from './sign-in-error.ts';
import type { Grant } from './sign-in-secrets.ts';
import { type Holder, signInId, type StoredSignIns } from './stored-sign-ins.ts';

/** For one refresh. */
const askMs = 30_000;
/** For which no other process asks for the same token: longer than it may take. */
const refreshMs = askMs + 5_000;
const refreshPollMs = 100;
/** Until what a server gave is stored after all: it gives a token once. */
const keepPauseMs = 500;

interface AccessTokensDeps {
  readonly stored: StoredSignIns;
  readonly revocations: Revocations;
  readonly fetch: typeof globalThis.fetch;
  /** Tells every process that somebody is signed in no longer. */
  readonly changed: (record: SignInRecord) => void;
}

/** The access tokens of those who have signed in, renewed once they expire. */
export class AccessTokens {
  readonly #deps: AccessTokensDeps;
  /** Of this process, by id and address. */
  readonly #refreshing = new Map<string, Promise<Grant>>();

  constructor(deps: AccessTokensDeps) {
    this.#deps = deps;
  }

  /** An access token for the address, another one than `rejected`. */
  async token(
    holder: Omit<Holder, 'tenantId' | 'agentId'>,
    url: string,
    rejected: string | null,
  ): Promise<string> {
    const id = signInId(holder);
    const stored = await this.#deps.stored.get(id);
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

  /** One process asks, and the others wait for what it was given. */
  async #refreshed(id: string, url: string, old: string): Promise<Grant> {
    const deadline = Date.now() + refreshMs;
    while (Date.now() < deadline) {
      const stored = await this.#deps.stored.get(id);
      const grant = stored?.secrets.url === url ? stored.secrets.grant : null;
      if (!stored || grant === null)
        throw new SignInError('signed-out', 'The sign-in has ended. Sign in again.');
      if (grant.accessToken !== old) return grant;
      if (grant.refreshToken === null) return this.#ended(id, grant, 'It has expired. Sign in again.');
      const until = Date.now() + refreshMs;
      const claimed = await this.#deps.stored.claimRefresh(stored, refreshMs);
      if (claimed) return this.#refresh(claimed.record, grant, url, until);
      await setTimeout(refreshPollMs);
    }
    throw new SignInError('failed', 'The sign-in could not be renewed in time.');
  }

  /** Nobody else asks before `until`. */
  async #refresh(
    { id, connectionId }: SignInRecord,
    grant: Grant,
    url: string,
    until: number,
  ): Promise<Grant> {
    const { server, client, resource, refreshToken } = grant;
    const host = new URL(server.issuer).host;
    try {
      const fresh = await explained(host, async () => {
        const known = { client_id: client.id };
        const options = tokenRequestOptions(this.#deps.fetch, url, AbortSignal.timeout(askMs));
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
      if (await this.#kept(id, { fresh, refreshToken }, until)) return fresh;
      await this.#deps.revocations.revoke(connectionId, fresh, new URL(url));
      throw new SignInError('signed-out', 'The sign-in has ended. Sign in again.');
    } catch (error) {
      if (error instanceof SignInError && ['signed-out', 'unknown-client'].includes(error.code))
        return this.#ended(id, grant, error.message, error.code === 'unknown-client');
      await this.#deps.stored.update(id, () => ({ refreshingUntil: null }));
      throw error;
    }
  }

  /** False: the sign-in is gone. */
  async #kept(
    id: string,
    { fresh, refreshToken }: { readonly fresh: Grant; readonly refreshToken: string | null },
    until: number,
  ): Promise<boolean> {
    for (;;) {
      try {
        // Whoever signed in anew meanwhile has something better.
        const kept = await this.#deps.stored.update(id, ({ secrets }) =>
          secrets.grant?.refreshToken === refreshToken
            ? { refreshingUntil: null, problem: null, secrets: { ...secrets, grant: fresh } }
            : { refreshingUntil: null },
        );
        return kept !== null;
      } catch (error) {
        if (!(error instanceof StoreUnavailableError) || Date.now() + keepPauseMs > until) throw error;
        await setTimeout(keepPauseMs);
      }
    }
  }

  /** The server takes back what it gave, or has forgotten to whom: whoever signs in again is registered anew. */
  async #ended(id: string, grant: Grant, problem: string, isClientUnknown = false): Promise<never> {
    const ended = await this.#deps.stored.update(id, ({ secrets }) => {
      if (secrets.grant?.accessToken !== grant.accessToken) return { refreshingUntil: null };
      const client = isClientUnknown && secrets.client?.id === grant.client.id ? null : secrets.client;
      const left = { ...secrets, client, grant: null };
      return { status: 'signed-out', problem, refreshingUntil: null, secrets: left };
    });
    if (ended) this.#deps.changed(ended.record);
    if (ended?.secrets.grant === null)
      await this.#deps.revocations.forgetAccount(ended.record.connectionId, grant);
    throw new SignInError('signed-out', problem);
  }
}
