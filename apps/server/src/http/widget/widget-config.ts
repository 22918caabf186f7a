import type { ToolSettings } from '@parley/protocol/settings/tool';
import type { WidgetSettings } from '@parley/protocol/settings/widget';
import type { WidgetConfig } from '@parley/protocol/widget-config';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import { UnreadableRecordError } from '../../settings/unreadable-record-error.ts';
import { originListed } from '../../auth/origins.ts';
import { findKey } from '../../auth/find-key.ts';
import { toolDisplays } from './tool-displays.ts';
import type { Handlers } from '../handlers.ts';
import { originNotAllowed } from '../middleware/cors.ts';

interface WidgetConfigDeps {
  readonly settings: SettingsCache;
  readonly ownOrigins: ReadonlySet<string>;
  readonly platform: string;
}

/** For any origin, the widget's configuration or why it cannot run there. */
export function widgetConfigHandlers(deps: WidgetConfigDeps): Handlers<'widgetConfig'> {
  return {
    async widgetConfig({ request, response, query }) {
      response.setHeader('access-control-allow-origin', '*');
      response.json(await widgetConfig(deps, query.key, request.headers.origin));
    },
  };
}

async function widgetConfig(
  { settings, ownOrigins, platform }: WidgetConfigDeps,
  presented: string,
  origin: string | undefined,
): Promise<WidgetConfig> {
  const key = await findKey(settings, presented);
  if (key === null || key.kind !== 'publishable')
    return { ok: false, reason: 'unknown-key', message: 'There is no such publishable key.' };
  if (origin !== undefined && !ownOrigins.has(origin) && !originListed(origin, key.allowedOrigins)) {
    const { message } = originNotAllowed(origin);
    return { ok: false, reason: 'origin-not-allowed', message, ...(origin !== 'null' && { origin }) };
  }
  const agent = key.agentId === null ? null : await settings.agent(key.agentId);
  if (agent === null) return { ok: false, reason: 'no-agent', message: 'The key has no agent attached.' };
  const { widget, files, pauseMessage: notice } = agent.settings;
  if (!agent.active)
    return {
      ok: false,
      reason: 'agent-inactive',
      message: 'The agent is not active.',
      ...(notice !== undefined && { notice }),
    };
  const tools = toolDisplays(await readableTools(settings, agent.id));
  return { ok: true, platform, widget: publicSettings(agent.name, widget), files, tools };
}

/** All that a page may know of an agent: an explicit list, never a record with fields taken out. */
function publicSettings(agentName: string, settings: WidgetSettings): WidgetSettings & { name: string } {
  const { name = agentName, greeting, prompts, accent, theme, position } = settings;
  const { avatar, privacyUrl, teaser, consent, form, languages } = settings;
  const words = { greeting, prompts, teaser, consent, form, languages };
  return { name, avatar, accent, theme, position, privacyUrl, ...words };
}

/** None where a record cannot be read: the chat opens without their names. */
async function readableTools(settings: SettingsCache, agentId: string): Promise<readonly ToolSettings[]> {
  try {
    return await settings.tools(agentId);
  } catch (error) {
    if (error instanceof UnreadableRecordError) return [];
    throw error;
  }
}
