import { servicePatterns } from '@parley/protocol/paths';
import type { WidgetSettings } from '@parley/protocol/settings/widget';
import type { WidgetConfig } from '@parley/protocol/widget-config';
import { type Request, Router } from 'express';
import type { Secrets } from '../secret/secrets.ts';
import { loadAgent } from '../settings/agent.ts';
import { originListed } from '../settings/origin.ts';
import type { Store } from '../store/store.ts';
import { findKey } from './authenticate.ts';
import { originNotAllowed } from './cors.ts';

interface WidgetConfigDeps {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly ownOrigins: ReadonlySet<string>;
  readonly platform: string;
}

/** `GET /v1/config?key=pk_…`: for any origin, the widget's configuration or why it cannot run there. */
export function widgetConfigRoutes(deps: WidgetConfigDeps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(servicePatterns.widgetConfig, async (request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.json(await widgetConfig(deps, request));
  });
  return router;
}

async function widgetConfig(deps: WidgetConfigDeps, request: Request): Promise<WidgetConfig> {
  const { store, secrets, ownOrigins, platform } = deps;
  const { key: presented } = request.query;
  const key = typeof presented === 'string' ? await findKey(store, presented) : null;
  if (key === null || key.kind !== 'publishable')
    return { ok: false, reason: 'unknown-key', message: 'There is no such publishable key.' };
  const { origin } = request.headers;
  if (origin !== undefined && !ownOrigins.has(origin) && !originListed(origin, key.allowedOrigins)) {
    const { message } = originNotAllowed(origin);
    return { ok: false, reason: 'origin-not-allowed', message, ...(origin !== 'null' && { origin }) };
  }
  const agent = key.agentId === null ? null : await loadAgent(store, secrets, key.agentId);
  if (agent === null) return { ok: false, reason: 'no-agent', message: 'The key has no agent attached.' };
  if (!agent.active) return { ok: false, reason: 'agent-inactive', message: 'The agent is not active.' };
  const { widget, files } = agent.settings;
  return { ok: true, platform, widget: publicSettings(agent.name, widget), files };
}

/** All that a page may know of an agent: an explicit list, never a record with fields taken out. */
function publicSettings(agentName: string, settings: WidgetSettings): WidgetSettings & { name: string } {
  const { name = agentName, greeting, prompts, accent, theme, position } = settings;
  const { privacyUrl, teaser, consent, form } = settings;
  return { name, greeting, prompts, accent, theme, position, privacyUrl, teaser, consent, form };
}
