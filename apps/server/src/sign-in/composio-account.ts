import type { ComposioSettings } from '@parley/protocol/settings/composio-connection';
import type { ConnectionSettings } from '@parley/protocol/settings/connection';
import { isActive, linkAccount, removeAccount } from '../composio/composio-accounts.ts';
import { ComposioError } from '../composio/composio-error.ts';
import { SignInError } from './sign-in-error.ts';
import type { Grant, SignInAttempt, SignInClient } from './sign-in-secrets.ts';

type Fetch = typeof globalThis.fetch;

/** Where Composio is asked, and with what: in the place of a client of an authorization server. */
const endpointOf = ({ client }: Pick<Grant, 'client'>) => ({
  url: client.issuer,
  apiKey: client.secret ?? undefined,
});

/** Where somebody is sent to connect an account at Composio, and what is kept of it until they are back. Throws `SignInError`. */
export function beginAccount(
  settings: ComposioSettings,
  {
    userId,
    redirectUri,
    state,
  }: { readonly userId: string; readonly redirectUri: string; readonly state: string },
  fetch: Fetch,
  signal: AbortSignal,
): Promise<{
  readonly to: URL;
  readonly attempt: Pick<SignInAttempt, 'client' | 'server' | 'resource' | 'account'>;
}> {
  return explained(async () => {
    const callbackUrl = `${redirectUri}?${new URLSearchParams({ state }).toString()}`;
    const { url: to, accountId } = await linkAccount(settings, { userId, callbackUrl }, fetch, signal);
    const client: SignInClient = {
      issuer: settings.url,
      redirectUri,
      id: 'composio',
      secret: settings.apiKey ?? null,
      method: 'none',
      expiresAt: null,
    };
    const server = { issuer: settings.url };
    return { to, attempt: { client, server, resource: settings.toolkit, account: accountId } };
  });
}

/** What is kept of an account that was connected: its id is what calls are made with. Throws `SignInError`. */
export function completeAccount(
  { client, server, resource }: SignInAttempt,
  accountId: string,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<Grant> {
  return explained(async () => {
    if (!(await isActive(endpointOf({ client }), accountId, fetch, signal)))
      throw new SignInError('failed', 'The account was not connected. Begin again.');
    return {
      client,
      server,
      resource,
      account: accountId,
      accessToken: accountId,
      refreshToken: null,
      expiresAt: null,
    };
  });
}

/**
 * Composio forgets an account that nobody here uses any more: it is asked with the key that the connection has by now, and
 * with that of the sign-in where the connection is gone or elsewhere. Never rejects: nobody waits for what it says.
 */
export async function forgetAccount(
  { client }: Pick<Grant, 'client'>,
  accountId: string,
  connection: ConnectionSettings | null,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<void> {
  const isSame = connection?.kind === 'composio' && connection.url === client.issuer;
  const endpoint = isSame ? connection : endpointOf({ client });
  await removeAccount(endpoint, accountId, fetch, signal).catch(() => undefined);
}

async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ComposioError)
      throw new SignInError(error.code === 'denied' ? 'denied' : 'failed', error.message);
    throw error;
  }
}
