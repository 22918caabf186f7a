import { problemSchema } from '@parley/protocol/problem';
import type { Config } from '../../config.ts';
import { createEgress } from '../../egress/egress.ts';
import { destination } from '../destination.ts';
import { localUrl } from '../local-service.ts';
import type { Finding } from './finding.ts';

const answerMs = 10_000;

/** What the service says of itself, if one runs here. */
export async function checkRunning(config: Config): Promise<Finding[]> {
  if (config.port === 0) return [];
  const url = localUrl(config);
  const egress = createEgress({ allow: [destination(url)] });
  try {
    const response = await egress.fetch(`${url}/readyz`, { signal: AbortSignal.timeout(answerMs) });
    if (response.ok) return [{ text: `The service at ${url} takes work.` }];
    const { data } = problemSchema.safeParse(await response.json());
    return [
      {
        text: `The service at ${url} takes no work: ${data?.error ?? response.status}`,
        mend: 'Look at its log.',
      },
    ];
  } catch {
    return [{ text: `No service runs at ${url}.` }];
  } finally {
    await egress.close();
  }
}
