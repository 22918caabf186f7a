import { isDeepStrictEqual } from 'node:util';
import type { RemoteSettings } from '@parley/protocol/settings/connection';
import type { McpState } from '@parley/protocol/settings/mcp-connection';
import type { Logger } from 'pino';
import type { ConnectionRecord, SettingsStore } from '../store/settings-store.ts';
import type { McpFound } from '../tool/mcp/mcp-connection.ts';
import { McpError } from '../tool/mcp/mcp-error.ts';
import { listRemoteTools, type RemoteDeps } from '../tool/mcp/open-remote-session.ts';
import { type CheckedConnection, mcpState } from './connection.ts';

/** The connection that something was found of. */
type Asked = Pick<RemoteSettings, 'id' | 'url' | 'signIn'> & { readonly toolkit?: string };

/** What a connection is like after this was found; what was listed before stays known while its server is away. */
function stateAfter(
  { signIn }: Pick<RemoteSettings, 'signIn'>,
  found: McpFound,
  listed: McpState['listed'],
): McpState {
  const isLetIn = !('problem' in found) || found.code !== 'unauthorized';
  const signedIn = signIn !== 'none' && isLetIn;
  const since = new Date().toISOString();
  if ('problem' in found)
    return { status: 'failed', since, problem: found.problem.slice(0, 500), signedIn, server: null, listed };
  const { server, tools, omitted } = found.listing;
  return { status: 'connected', since, problem: omitted, signedIn, server, listed: [...tools] };
}

/** Asks a connection for its tools, in a session of its own. */
export async function checkConnection(
  settings: RemoteSettings,
  deps: RemoteDeps,
): Promise<CheckedConnection & { readonly found: McpFound }> {
  try {
    const found = { listing: await listRemoteTools(settings, deps) };
    return { found, state: stateAfter(settings, found, []), denied: null };
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    const found = { problem: error.explanation, code: error.code };
    return {
      found,
      state: stateAfter(settings, found, []),
      denied: error.code === 'denied' ? error.explanation : null,
    };
  }
}

/** Stores what was found of a connection, where it is news: every process is told of a write. */
export async function saveFound(
  connections: SettingsStore['connections'],
  settings: Asked,
  found: McpFound,
): Promise<void> {
  const { id, signIn } = settings;
  const record = await connections.get(id);
  // What was found elsewhere says nothing of what it is connected to now.
  if (record === null || placeOf(Object(record.config)) !== placeOf(settings)) return;
  const before = mcpState(record);
  const state = stateAfter({ signIn }, found, before.listed);
  if (!isDeepStrictEqual(comparable(before), comparable(state))) await saveState(connections, record, state);
}

/** Some servers list their tools in another order each time. */
const comparable = (state: McpState): McpState => ({
  ...state,
  since: '',
  listed: state.listed.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
});

/** Stores what was found of a connection as the record has it, unless it is another one by now. */
export async function saveState(
  connections: Pick<SettingsStore['connections'], 'update'>,
  { id, config, secrets }: ConnectionRecord,
  state: CheckedConnection['state'],
): Promise<void> {
  await connections.update(id, { state }, undefined, { config, secrets });
}

/** The same for what calls find on their way: they do not fail with it. */
export function connectionReporter(
  connections: SettingsStore['connections'],
  logger: Pick<Logger, 'warn'>,
): (connection: Asked, found: McpFound) => Promise<void> {
  return (connection, found) =>
    saveFound(connections, connection, found).catch((err: unknown) =>
      logger.warn({ err, connectionId: connection.id }, 'what is known of a connection could not be stored'),
    );
}

/** All toolkits of Composio are at one address. */
const placeOf = ({ url, toolkit = null }: { readonly url?: unknown; readonly toolkit?: unknown }): string =>
  JSON.stringify([url, toolkit]);
