import type { ToolAnswer, ToolSettings } from '@parley/protocol/settings/tool';

/** What is encrypted at rest: every header value, whatever the header. */
export type ToolSecrets = Readonly<Record<string, string>>;

/** The settings as they may lie in plain sight. */
export type ToolConfig = Omit<ToolSettings, 'request'> & {
  readonly request: Omit<ToolSettings['request'], 'headers'>;
};

const CHARACTERS_SHOWN = 4;
/** Of a shorter secret, four characters would be too much to show. */
const SHOWABLE_LENGTH = 12;

export function splitToolSettings(settings: ToolSettings): { config: ToolConfig; secrets: ToolSecrets } {
  const { headers = {}, ...request } = settings.request;
  return { config: { ...settings, request }, secrets: headers };
}

export function joinToolSettings(config: ToolConfig, secrets: ToolSecrets): ToolSettings {
  const headers = Object.keys(secrets).length > 0 ? { headers: { ...secrets } } : {};
  return { ...config, request: { ...config.request, ...headers } };
}

/** How header values come back from the settings API. */
export function maskToolSecrets(secrets: ToolSecrets): NonNullable<ToolAnswer['request']['headers']> {
  return Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [
      name,
      { set: true as const, last4: value.length < SHOWABLE_LENGTH ? '' : value.slice(-CHARACTERS_SHOWN) },
    ]),
  );
}
