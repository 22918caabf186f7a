/** Names of the semantic conventions of OpenTelemetry, those for generative AI above all, which are not stable yet. */
export const attribute = {
  httpMethod: 'http.request.method',
  httpRoute: 'http.route',
  httpStatus: 'http.response.status_code',
  errorType: 'error.type',
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  agentId: 'gen_ai.agent.id',
  agentName: 'gen_ai.agent.name',
  conversation: 'gen_ai.conversation.id',
  toolName: 'gen_ai.tool.name',
  toolCallId: 'gen_ai.tool.call.id',
  tenant: 'parley.tenant.id',
  requestId: 'parley.request.id',
  turn: 'parley.turn',
  turnStatus: 'parley.turn.status',
} as const;

/** What `gen_ai.operation.name` says. */
export const operation = { agent: 'invoke_agent', model: 'chat', tool: 'execute_tool' } as const;

const providers: Readonly<Record<string, string>> = {
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  azure: 'azure.ai.openai',
  'amazon-bedrock': 'aws.bedrock',
};

/** What the conventions call one of our providers; those that they do not know keep our name. */
export function providerName(provider: string): string {
  return providers[provider] ?? provider;
}
