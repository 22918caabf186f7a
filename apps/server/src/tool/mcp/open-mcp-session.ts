import packageJson from '../../../package.json' with { type: 'json' };
import type { McpEndpoint, McpSession } from './mcp-session.ts';

/** A session, whose client is loaded by the first one: most agents have none. */
export async function openMcpSession(
  endpoint: McpEndpoint,
  fetch: typeof globalThis.fetch,
): Promise<McpSession> {
  const { McpSession } = await import('./mcp-session.ts');
  return McpSession.open(endpoint, fetch, packageJson.version);
}
