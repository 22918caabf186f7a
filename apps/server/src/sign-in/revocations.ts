import { revocationRequest } from 'oauth4webapi';
import type { Secrets } from '../crypto/secrets.ts';
import { connectionOf } from '../settings/connection.ts';
import type { SettingsStore } from '../store/settings-store.ts';
import { clientAuth } from './choose-client.ts';
import { forgetAccount } from './composio-account.ts';
import { tokenRequestOptions } from './grant.ts';
import type { Grant } from './sign-in-secrets.ts';

/** What is revoked at a server that does not answer is forgotten all the same. */
const revokeMs = 5_000;

export interface RevocationsDeps {
  readonly connections: Pick<SettingsStore['connections'], 'get'>;
  readonly secrets: Secrets;
  readonly fetch: typeof globalThis.fetch;
}

/** Tells servers that what they gave is forgotten here. */
export class Revocations {
  readonly #deps: RevocationsDeps;

  constructor(deps: RevocationsDeps) {
    this.#deps = deps;
  }

  /** Composio would keep what nobody here could name any more. */
  async forgetAccount(connectionId: string, given: Pick<Grant, 'client' | 'account'> | null): Promise<void> {
    if (given?.account === undefined) return;
    const { connections, secrets, fetch } = this.#deps;
    const connection = await connections
      .get(connectionId)
      .then((record) => record && connectionOf(record, secrets))
      .catch(() => null);
    await forgetAccount(given, given.account, connection, fetch, AbortSignal.timeout(revokeMs));
  }

  async revoke(connectionId: string, grant: Grant, url: URL): Promise<void> {
    const { server, client, accessToken, refreshToken, account } = grant;
    if (account !== undefined) return this.forgetAccount(connectionId, grant);
    if (server.revocation_endpoint === undefined) return;
    const options = tokenRequestOptions(this.#deps.fetch, url.href, AbortSignal.timeout(revokeMs));
    const known = { client_id: client.id };
    const tokens = [refreshToken, accessToken].filter((token) => token !== null);
    // Nobody waits for what a server says of a token that is forgotten here.
    await Promise.allSettled(
      tokens.map((token) => revocationRequest(server, known, clientAuth(client), token, options)),
    );
  }
}
