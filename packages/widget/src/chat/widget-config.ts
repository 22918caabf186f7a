import { answerError, transportError } from '@parley/client/error';
import type { WidgetSettings } from '@parley/protocol/settings';

/** What the service tells any visitor about the agent behind a publishable key. */
export type WidgetConfig = { platform: string; agent: { name: string }; widget: WidgetSettings };

/** The public configuration. Throws a `ParleyError`, whose message tells a tenant what to mend. */
export async function loadConfig(base: string, key: string): Promise<WidgetConfig> {
  let response: Response;
  try {
    response = await fetch(`${base}/v1/config?key=${encodeURIComponent(key)}`, { credentials: 'omit' });
  } catch (cause) {
    throw transportError(cause, undefined);
  }
  if (!response.ok) throw await answerError(response);
  return (await response.json()) as WidgetConfig;
}
