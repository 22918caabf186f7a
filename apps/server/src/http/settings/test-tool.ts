import type { Secrets } from '../../crypto/secrets.ts';
import { readable } from '../../settings/readable.ts';
import type { Resource } from '../../settings/resource.ts';
import { toolOf } from '../../settings/tool.ts';
import type { ToolRecord } from '../../store/settings-store.ts';
import type { ToolRegistry } from '../../tool/registry.ts';
import type { Handlers } from '../handlers.ts';
import { notValid } from '../parse.ts';

interface TestToolDeps {
  readonly tools: Pick<Resource<ToolRecord, never, never, object>, 'find'>;
  readonly secrets: Secrets;
  readonly toolRegistry: ToolRegistry;
}

/** Runs a tool once, for no visitor. */
export function testToolHandlers({ tools, ...deps }: TestToolDeps): Handlers<'testTool'> {
  return {
    async testTool({ response, principal, id, body: { input } }) {
      const record = await tools.find(principal, id);
      const tool = await readable(() => toolOf(record, deps));
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      const startedAt = performance.now();
      const result = await deps.toolRegistry
        .configured(tool.kind)
        .test(tool, input, { tenantId: record.tenantId, signal: gone.signal });
      if ('issues' in result) throw notValid(result.issues);
      const { outcome } = result;
      response.json({
        status: outcome.ok ? 'completed' : 'failed',
        durationMs: Math.round(performance.now() - startedAt),
        output: outcome.ok ? outcome.output : { code: outcome.code, message: outcome.message },
      });
    },
  };
}
