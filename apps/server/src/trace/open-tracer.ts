import type { Config } from '../config.ts';
import type { Logger } from '../logger.ts';
import type { Tracer } from './span.ts';

/** Null where no collector is configured: then nothing of OpenTelemetry is loaded. */
export async function openTracer(
  { otlpEndpoint, otlpHeaders }: Pick<Config, 'otlpEndpoint' | 'otlpHeaders'>,
  logger: Logger,
): Promise<Tracer | null> {
  if (otlpEndpoint === undefined) return null;
  const { createOtlpTracer } = await import('./otlp-tracer.ts');
  return createOtlpTracer({ endpoint: otlpEndpoint, headers: otlpHeaders ?? {} }, logger);
}
