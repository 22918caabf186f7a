import type { ToolDisplays } from '@parley/protocol/tool-text';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import { connectionDisplays } from './connection-displays.ts';
import { toolDisplays } from './tool-displays.ts';

/** How people see the tools of an agent. */
export async function shownTools(
  settings: Pick<SettingsCache, 'connections' | 'tools'>,
  agentId: string,
): Promise<ToolDisplays> {
  const [connections, tools] = await Promise.all([settings.connections(agentId), settings.tools(agentId)]);
  return { ...connectionDisplays(connections), ...toolDisplays(tools) };
}
