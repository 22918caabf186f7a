import type { Config } from './config.ts';
import type { Egress } from './egress/egress.ts';
import type { Embedder } from './knowledge/embedder.ts';
import { RefusedTextError } from './knowledge/refused-text-error.ts';
import { apiKeyFor } from './model/api-key-for.ts';
import { ModelError } from './model/model-error.ts';
import type { SettingsCache } from './settings/settings-cache.ts';

interface EmbedderDeps {
  readonly settings: Pick<SettingsCache, 'agent'>;
  readonly egress: Pick<Egress, 'fetch'>;
  readonly providerKeys: Config['providerKeys'];
}

/** What makes vectors for an agent, as its settings are now; null: nothing does. Rejects where a setting is missing. */
export async function embedderOf(
  { settings, egress, providerKeys }: EmbedderDeps,
  agentId: string,
): Promise<Embedder | null> {
  const agent = await settings.agent(agentId);
  if (!agent?.settings.embedding) return null;
  const { model, embedding } = agent.settings;
  const apiKey = apiKeyFor(model, agent.credentials, providerKeys);
  const { createEmbedder } = await import('./model/create-embedder.ts');
  const embedder = await createEmbedder({
    settings: model,
    name: embedding.model,
    credentials: { ...agent.credentials, apiKey },
    fetch: egress.fetch,
  });
  return (
    embedder && {
      model: embedder.model,
      embed: (texts, signal) =>
        embedder.embed(texts, signal).catch((error: unknown) => {
          throw isOfTexts(error) ? new RefusedTextError('The texts were refused.', { cause: error }) : error;
        }),
    }
  );
}

const isOfTexts = (error: unknown): boolean =>
  error instanceof ModelError && (error.kind === 'refused' || error.kind === 'too-long');
