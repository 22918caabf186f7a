import { z } from 'zod';
import { ComposioError } from './composio-error.ts';
import { parseResponse, requestComposio, type ComposioEndpoint } from './request-composio.ts';

const linkSchema = z.object({
  redirect_url: z.string().max(4_000),
  connected_account_id: z.string().max(200),
});
const accountSchema = z.object({ status: z.string() });

const accountPath = (accountId: string) => `/connected_accounts/${encodeURIComponent(accountId)}`;

/** Where somebody connects an account, and its id. Throws `ComposioError`. */
export async function linkAccount(
  endpoint: ComposioEndpoint & { readonly authConfigId: string },
  { userId, callbackUrl }: { readonly userId: string; readonly callbackUrl: string },
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<{ readonly url: URL; readonly accountId: string }> {
  const body = { auth_config_id: endpoint.authConfigId, user_id: userId, callback_url: callbackUrl };
  const response = await requestComposio(
    endpoint,
    { method: 'POST', path: '/connected_accounts/link', body, signal },
    fetch,
  );
  const link = parseResponse(linkSchema, response, endpoint);
  const url = URL.parse(link.redirect_url);
  if (url === null || !['https:', 'http:'].includes(url.protocol))
    throw new ComposioError('failed', `${new URL(endpoint.url).host} gave no address to go to.`);
  return { url, accountId: link.connected_account_id };
}

/** Whether its tools can be used. Throws `ComposioError`. */
export async function isActive(
  endpoint: ComposioEndpoint,
  accountId: string,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<boolean> {
  const response = await requestComposio(
    endpoint,
    { method: 'GET', path: accountPath(accountId), signal },
    fetch,
  );
  if (response.status === 404) return false;
  return parseResponse(accountSchema, response, endpoint).status === 'ACTIVE';
}

/** Throws `ComposioError`. */
export async function removeAccount(
  endpoint: ComposioEndpoint,
  accountId: string,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<void> {
  await requestComposio(endpoint, { method: 'DELETE', path: accountPath(accountId), signal }, fetch);
}
