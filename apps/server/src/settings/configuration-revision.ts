import type { ConnectionSettings } from '@parley/protocol/settings/connection';
import type { ToolSettings } from '@parley/protocol/settings/tool';
import type { Secrets } from '../crypto/secrets.ts';
import type { Agent } from './agent.ts';

const length = 16;

/**
 * What a turn finds set for its agent, as one opaque word: the same for the same settings and tools, another once any
 * of them differs, be it a credential. What no turn sees, such as how the widget looks, is left out. It is keyed, since
 * visitors read it and must not be able to try out what an agent's credentials might be.
 */
export function configurationRevision(
  secrets: Secrets,
  agent: Agent,
  tools: readonly ToolSettings[],
  connections: readonly ConnectionSettings[],
): string {
  const {
    active: _a,
    pauseMessage: _p,
    savedQuestions: _q,
    createdAt: _c,
    widget: _w,
    files: _f,
    retentionDays: _r,
    ...settings
  } = agent.settings;
  const { credentials, identitySecret, toolSecret } = agent;
  const seen = JSON.stringify([settings, credentials, identitySecret, toolSecret, tools, ...connections]);
  return secrets.mac('configuration', seen).slice(0, length);
}
