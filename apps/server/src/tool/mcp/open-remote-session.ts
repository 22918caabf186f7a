import type { RemoteSettings } from '@parley/protocol/settings/connection';
import { ComposioSession } from '../composio/composio-session.ts';
import type { McpListing } from './mcp-session.ts';
import { openMcpSession } from './open-mcp-session.ts';
import type { RemoteSession } from './remote-session.ts';
import type { Bearer } from './with-bearer.ts';

export interface RemoteDeps {
  readonly fetch: typeof globalThis.fetch;
  /** What a connection's server is shown; at Composio the account that its tools use. */
  readonly bearer: (connection: RemoteSettings) => Bearer;
}

export async function openRemoteSession(
  settings: RemoteSettings,
  { fetch, bearer }: RemoteDeps,
): Promise<RemoteSession> {
  return settings.kind === 'mcp'
    ? openMcpSession({ url: settings.url, bearer: bearer(settings) }, fetch)
    : new ComposioSession(settings, bearer(settings), fetch);
}

/** Asks a server for its tools, in a session of its own. Throws `McpError`. */
export async function listRemoteTools(settings: RemoteSettings, deps: RemoteDeps): Promise<McpListing> {
  const session = await openRemoteSession(settings, deps);
  try {
    return await session.list();
  } finally {
    await session.close();
  }
}
