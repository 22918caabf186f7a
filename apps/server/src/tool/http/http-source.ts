import { randomUUID } from 'node:crypto';
import { visitorHeaderName } from '@parley/protocol/session-headers';
import {
  type HttpToolPatch,
  type HttpToolSettings,
  httpToolViewSchema,
  httpToolSettingsSchema,
} from '@parley/protocol/settings/http-tool';
import type { Egress } from '../../egress/egress.ts';
import type { ConfiguredToolSource, ToolExchange } from '../source.ts';
import type { ServerTool } from '../tool.ts';
import { markSecrets } from './secret-values.ts';
import {
  type ToolSecrets,
  joinToolSettings,
  maskToolSecrets,
  splitToolSettings,
  toolSecretsSchema,
} from './tool-secrets.ts';
import { unmaskSecrets } from './unmask-secrets.ts';

/** Tools of the tenant's own, each a request to one of its addresses. What a call needs is loaded by the first of them. */
export function httpSource({
  egress,
  platform,
}: {
  readonly egress: Pick<Egress, 'request'>;
  readonly platform: string;
}): ConfiguredToolSource<HttpToolSettings, ToolSecrets, HttpToolPatch> {
  const headerName = visitorHeaderName(platform);
  return {
    kind: 'http',
    schema: httpToolSettingsSchema.transform((settings) => ({
      ...settings,
      request: markSecrets(settings.request),
    })),
    secretsSchema: toolSecretsSchema,
    patchedInside: ['request', 'headers'],
    async load({ tenantId, visitorSecret, serviceUrl }, settings) {
      const visitorHeader = { name: headerName, issuer: serviceUrl, secret: visitorSecret };
      const tools: ServerTool[] = [];
      if (settings.length > 0) {
        const { httpTool } = await import('./http-tool.ts');
        for (const tool of settings)
          tools.push(httpTool({ settings: tool, egress, tenantId, visitorHeader }));
      }
      // Every call has a connection of its own.
      return { forSession: () => tools, close: () => Promise.resolve() };
    },
    splitSecrets: (settings) => {
      const { config, secrets } = splitToolSettings({ ...settings, request: markSecrets(settings.request) });
      const none = Object.keys(secrets.headers).length + secrets.values.length === 0;
      return { config, secrets: none ? null : secrets };
    },
    joinSecrets: joinToolSettings,
    view: (settings) => {
      const { method } = settings.request;
      return httpToolViewSchema.parse({
        ...settings,
        idempotent: settings.idempotent ?? (method === 'GET' || method === 'HEAD'),
        request: maskToolSecrets(settings.request),
      });
    },
    unmask: unmaskSecrets,
    async validate(settings) {
      const { toolProblem } = await import('./tool-problem.ts');
      const problem = toolProblem(settings, headerName);
      return problem === undefined ? [] : [problem];
    },
    async test(settings, input, { tenantId, signal }) {
      const { httpTool } = await import('./http-tool.ts');
      const visitorHeader = { name: headerName, issuer: '', secret: null };
      const { shownExchange } = await import('./shown-exchange.ts');
      let exchange: ToolExchange | undefined;
      let denied: string | undefined;
      const watched: Pick<Egress, 'request'> = {
        async request(sent) {
          const answer = await egress.request(sent);
          exchange = shownExchange(settings.request, input, sent, answer);
          if (answer.outcome === 'denied') denied = answer.explanation;
          return answer;
        },
      };
      const tool = httpTool({ settings, egress: watched, tenantId, visitorHeader });
      const message = tool.invalid(input);
      if (message !== undefined) return { issues: [{ path: ['input'], message }] };
      const callId = randomUUID();
      const call = { callId, idempotencyKey: callId, signal, visitor: null, sessionId: '', session: '' };
      const outcome = await tool.execute(input, call);
      if (outcome.ok || denied === undefined) return { outcome, exchange };
      return { outcome: { ...outcome, message: denied }, exchange };
    },
  };
}
