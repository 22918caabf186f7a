import { ROOT_CONTEXT, type Span as ApiSpan, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import packageJson from '../../package.json' with { type: 'json' };
import type { Logger } from '../logger.ts';
import { attribute } from './semantic-conventions.ts';
import type { Span, SpanKindName, Tracer } from './span.ts';
import { formatTraceparent, parseTraceparent } from './traceparent.ts';

/** Spans that wait to be sent; what comes while so many do is not kept. */
const maxQueued = 4_096;
const batch = 512;
/** How late a span is sent, and how long that may take. */
const delayMs = 2_000;
const sendMs = 3_000;

const kinds: Readonly<Record<SpanKindName, SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
};

/** Sends traces to the collector that the operator has named. Where it does not answer, traces are lost and nothing else. */
export function createOtlpTracer(
  { endpoint, headers }: { readonly endpoint: string; readonly headers: Readonly<Record<string, string>> },
  logger: Logger,
): Tracer {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: sendMs,
    concurrencyLimit: 2,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'parley', 'service.version': packageJson.version }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reporting(exporter, logger),
        maxQueueSize: maxQueued,
        maxExportBatchSize: batch,
        scheduledDelayMillis: delayMs,
        exportTimeoutMillis: sendMs,
      }),
    ],
  });
  const tracer = provider.getTracer('parley');

  const wrap = (span: ApiSpan): Span => ({
    traceparent: formatTraceparent(span.spanContext()),
    start: (name, kind, attributes) =>
      wrap(
        tracer.startSpan(
          name,
          { kind: kinds[kind], attributes: { ...attributes } },
          trace.setSpan(ROOT_CONTEXT, span),
        ),
      ),
    set: (attributes) => void span.setAttributes({ ...attributes }),
    end(errorType) {
      if (errorType !== undefined) {
        span.setAttribute(attribute.errorType, errorType);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  });

  return {
    start(name, kind, attributes, { traceparent, startedAt } = {}) {
      const parent = parseTraceparent(traceparent);
      const context = parent
        ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true })
        : ROOT_CONTEXT;
      const options = { kind: kinds[kind], attributes: { ...attributes } };
      return wrap(
        tracer.startSpan(
          name,
          startedAt === undefined ? options : { ...options, startTime: startedAt },
          context,
        ),
      );
    },
    close: () => provider.shutdown().catch(() => {}),
  };
}

/** One line when the collector stops taking spans, and one when it takes them again. */
function reporting(exporter: SpanExporter, logger: Logger): SpanExporter {
  let failing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== 0;
        if (failed && !failing)
          logger.warn({ err: result.error }, 'traces could not be sent; trying again with the next ones');
        if (!failed && failing) logger.info('Traces are sent again.');
        failing = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
