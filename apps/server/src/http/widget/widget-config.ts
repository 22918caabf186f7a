import type { WidgetSettings } from '@parley/protocol/settings/widget';
import type { WidgetConfig } from '@parley/protocol/widget-config';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import { UnreadableRecordError } from '../../settings/unreadable-record-error.ts';
import { originListed } from '../../auth/origins.ts';
import { findKey } from '../../auth/find-key.ts';
import { connectionDisplays } from './connection-displays.ts';
import { toolDisplays } from './tool-displays.ts';
import { isHeld } from '../../session/state/is-held.ts';
import type { Store } from '../../store/store.ts';
import type { Handlers } from '../handlers.ts';
import { originNotAllowed } from '../middleware/cors.ts';

interface WidgetConfigDeps {
  readonly settings: SettingsCache;
  readonly store: Pick<Store, 'getSession'>;
  readonly ownOrigins: ReadonlySet<string>;
  readonly platform: string;
}

/** For any origin, the widget's configuration or why it cannot run there. */
export function widgetConfigHandlers(deps: WidgetConfigDeps): Handlers<'widgetConfig'> {
  return {
    async widgetConfig({ request, response, query }) {
      response.setHeader('access-control-allow-origin', '*');
      response.json(await widgetConfig(deps, query, request.headers.origin));
    },
  };
}

async function widgetConfig(
  { settings, store, ownOrigins, platform }: WidgetConfigDeps,
  { key: presented, session }: { readonly key: string; readonly session: string },
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
  const { widget, files, readyMail, pauseMessage: notice } = agent.settings;
  if (!agent.active && !(await isAnswered(store, agent.id, session)))
    return {
      ok: false,
      reason: 'agent-inactive',
      message: 'The agent is not active.',
      ...(notice !== undefined && { notice }),
    };
  const [tools, connections] = await Promise.all([
    readable(settings.tools(agent.id)),
    readable(settings.connections(agent.id)),
  ]);
  return {
    ok: true,
    platform,
    widget: publicSettings(agent.name, widget),
    files,
    ...(readyMail === true && connections.some(({ kind }) => kind === 'mail') && { readyMail }),
    tools: { ...connectionDisplays(connections), ...toolDisplays(tools) },
  };
}

/** Whether a person answers in this conversation, whatever the agent may do. */
async function isAnswered(store: WidgetConfigDeps['store'], agentId: string, id: string): Promise<boolean> {
  const session = id === '' ? null : await store.getSession(id);
  return session?.agentId === agentId && isHeld(session);
}

/** All that a page may know of an agent: an explicit list, never a record with fields taken out. */
function publicSettings(agentName: string, settings: WidgetSettings): WidgetSettings & { name: string } {
  const { name = agentName, greeting, prompts, accent, theme, position } = settings;
  const { avatar, privacyUrl, teaser, consent, form, languages } = settings;
  const words = { greeting, prompts, teaser, consent, form, languages };
  return { name, avatar, accent, theme, position, privacyUrl, ...words };
}

/** None where a record cannot be read: the chat opens without their names. */
async function readable<Record>(records: Promise<readonly Record[]>): Promise<readonly Record[]> {
  try {
    return await records;
  } catch (error) {
    if (error instanceof UnreadableRecordError) return [];
    throw error;
  }
}
