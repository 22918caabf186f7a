import { beforeAll } from 'vitest';
import { startRedis } from '../testing/redis-server.ts';
import { describeRemoteBus } from './contract/remote.ts';
import { openRedisBus } from './redis-bus.ts';

let url: string;
beforeAll(async () => {
  const server = await startRedis();
  ({ url } = server);
  return server.stop;
});

describeRemoteBus('redis', () => url, openRedisBus);
