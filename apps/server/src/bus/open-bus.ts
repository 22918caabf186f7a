import type { Config } from '../config.ts';
import type { Logger } from '../logger.ts';
import type { Bus } from './bus.ts';
import { LocalBus } from './local-bus.ts';

/** The bus that the configuration asks for. One that needs a connection is loaded only then. */
export async function openBus({ redisUrl, postgresUrl }: Config, logger: Logger): Promise<Bus> {
  if (redisUrl === undefined && postgresUrl !== undefined) {
    const { openPostgresBus } = await import('./postgres-bus.ts');
    return openPostgresBus({ url: postgresUrl, channel: 'parley', logger });
  }
  if (redisUrl === undefined)
    return new LocalBus((err) => logger.error({ err }, 'a subscriber of the bus failed'));
  const { openRedisBus } = await import('./redis-bus.ts');
  // A server may be shared: what has another number of a database is another installation, though Redis does not ask.
  const channel = `parley${new URL(redisUrl).pathname}`;
  return openRedisBus({ url: redisUrl, channel, logger });
}
