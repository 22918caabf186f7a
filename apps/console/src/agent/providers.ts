import type { ModelProvider } from '@parley/protocol/settings/model';

interface Provider {
  readonly id: ModelProvider;
  readonly name: string;
  /** What a model of it is called, as an example. */
  readonly example: string;
  readonly needs: readonly ('apiKey' | 'baseUrl' | 'resourceName' | 'region')[];
}

export const providers: readonly Provider[] = [
  { id: 'openai', name: 'OpenAI', example: 'gpt-5.2', needs: ['apiKey'] },
  { id: 'anthropic', name: 'Anthropic', example: 'claude-sonnet-5', needs: ['apiKey'] },
  { id: 'google', name: 'Google', example: 'gemini-3-pro', needs: ['apiKey'] },
  { id: 'mistral', name: 'Mistral', example: 'mistral-large-latest', needs: ['apiKey'] },
  { id: 'azure', name: 'Azure OpenAI', example: 'your-deployment', needs: ['apiKey', 'resourceName'] },
  {
    id: 'amazon-bedrock',
    name: 'Amazon Bedrock',
    example: 'anthropic.claude-sonnet-5',
    needs: ['apiKey', 'region'],
  },
  {
    id: 'openai-compatible',
    name: 'OpenAI-compatible service',
    example: 'llama-4',
    needs: ['baseUrl', 'apiKey'],
  },
  { id: 'quoting', name: 'No model: quotes its sources', example: '', needs: [] },
  { id: 'scripted', name: 'No model: repeats what visitors say', example: 'scripted', needs: [] },
];

/** Whether it needs no network, and so nobody has to say which model. */
export const isBuiltIn = (id: string): boolean => id === 'scripted' || id === 'quoting';

export const providerName = (id: string): string =>
  isBuiltIn(id) ? 'Without a model' : (providers.find((provider) => provider.id === id)?.name ?? id);
