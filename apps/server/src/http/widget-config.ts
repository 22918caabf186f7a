import { servicePatterns } from '@parley/protocol/paths';
import type { WidgetSettings } from '@parley/protocol/settings';
import { Router } from 'express';
import type { Secrets } from '../secret/secrets.ts';
import { loadAgent } from '../settings/agent.ts';
import { originListed } from '../settings/origin.ts';
import type { Store } from '../store/store.ts';
import { findKey } from './authenticate.ts';
import { unauthorized } from './bearer.ts';
import { originNotAllowed } from './cors.ts';
import { ProblemError } from './problem.ts';

/** All that a page may know of an agent before a session: an explicit list, never a record with fields taken out. */
export interface WidgetConfig {
  readonly ok: true;
  readonly platform: string;
  readonly widget: WidgetSettings & { readonly name: string };
}

/** `GET /v1/config?key=pk_…`: for any origin, the widget's configuration or why it cannot run there. */
export function widgetConfigRoutes(deps: {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly platform: string;
  readonly ownOrigins: ReadonlySet<string>;
}): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(servicePatterns.widgetConfig, async (request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.locals['originDecided'] = true;
    const { key: presented } = request.query;
    const key = typeof presented === 'string' ? await findKey(deps.store, presented) : null;
    if (key === null || key.kind !== 'publishable') throw unauthorized();
    const { origin } = request.headers;
    if (origin !== undefined && !deps.ownOrigins.has(origin) && !originListed(origin, key.allowedOrigins))
      throw originNotAllowed(origin);
    const agent = key.agentId === null ? null : await loadAgent(deps.store, deps.secrets, key.agentId);
    if (agent === null) throw new ProblemError('NO_AGENT', 'The key has no agent attached.');
    if (!agent.active) throw new ProblemError('AGENT_INACTIVE', 'The agent is not active.');
    response.json(widgetConfig(deps.platform, agent.name, agent.settings.widget));
  });
  return router;
}

function widgetConfig(platform: string, agentName: string, settings: WidgetSettings): WidgetConfig {
  const { name = agentName, greeting, prompts, accent, theme, position, privacyUrl } = settings;
  return {
    ok: true,
    platform,
    widget: {
      name,
      greeting,
      prompts,
      accent,
      theme,
      position,
      ...(privacyUrl !== undefined && { privacyUrl }),
    },
  };
}
