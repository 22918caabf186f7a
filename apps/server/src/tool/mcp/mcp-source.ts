import type { RemoteSettings } from '@parley/protocol/settings/connection';
import type { ToolSource } from '../source.ts';
import { McpConnection, type McpConnectionDeps } from './mcp-connection.ts';
import { mcpTool } from './mcp-tool.ts';
import { VisitorConnections } from './visitor-connections.ts';

/** The approved tools of the servers that an agent is connected to. Nobody is called before the first call of a tool. */
export function mcpSource(deps: McpConnectionDeps): ToolSource {
  return {
    load({ id: agentId, tenantId, connections }) {
      const servers = connections.filter((each): each is RemoteSettings =>
        ['mcp', 'composio'].includes(each.kind),
      );
      const opened = servers.map((settings) => ({
        settings,
        connection:
          settings.signIn === 'visitor'
            ? new VisitorConnections(settings, { tenantId, agentId }, deps)
            : new McpConnection(settings, deps),
      }));
      const tools = opened.flatMap(({ settings, connection }) =>
        settings.tools.map((tool) => mcpTool(settings, tool, connection)),
      );
      return Promise.resolve({
        forSession: () => tools,
        close: async () => void (await Promise.all(opened.map(({ connection }) => connection.close()))),
      });
    },
  };
}
