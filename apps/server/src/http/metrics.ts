import { createHash, timingSafeEqual } from 'node:crypto';
import type { ServiceStatus } from '@parley/protocol/settings/status';
import { bearer, unauthorized } from '../auth/bearer.ts';
import { metricsText } from '../metrics/metrics-text.ts';
import type { ProcessMetrics } from '../metrics/process-metrics.ts';
import type { TurnMetrics } from '../metrics/turn-metrics.ts';
import type { Handlers } from './handlers.ts';
import { ProblemError } from './problem.ts';

/** What this process counts, and the token that reads it. */
export interface ServedMetrics {
  readonly token: string;
  readonly turns: TurnMetrics;
  readonly process: ProcessMetrics;
}

const digest = (value: string): Buffer => createHash('sha256').update(value).digest();

/** For a Prometheus; without a token of its own there is no such route. */
export function metricsHandlers(
  served: ServedMetrics | null,
  status: () => ServiceStatus,
): Handlers<'readMetrics'> {
  const expected = served && digest(served.token);
  return {
    readMetrics({ request, response }) {
      if (served === null || expected === null)
        throw new ProblemError('NOT_FOUND', 'There is nothing at this path.');
      if (!timingSafeEqual(digest(bearer(request) ?? ''), expected)) throw unauthorized('metrics');
      response.type('text/plain; version=0.0.4; charset=utf-8');
      response.send(metricsText([...served.turns.metrics(), ...served.process.metrics(status())]));
    },
  };
}
