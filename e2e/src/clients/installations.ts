import { postgresEnvironment } from '../postgres.ts';
import { type RunningServer, startServer } from '../server.ts';
import { openRoundRobinProxy } from './round-robin-proxy.ts';

/** The service as its clients meet it, in however many processes. */
export interface Installation extends Pick<RunningServer, 'url' | 'settings'> {
  stop(): Promise<void>;
}

type OpenInstallation = (environment: Record<string, string>) => Promise<Installation>;

/** What clients are to notice no difference between. */
export const installations: readonly [name: string, open: OpenInstallation][] = [
  ['SQLite', (environment) => startServer({ environment })],
  [
    'PostgreSQL',
    async (environment) => startServer({ environment: { ...environment, ...(await postgresEnvironment()) } }),
  ],
  [
    'two processes on PostgreSQL',
    async (environment) => {
      const shared = { ...environment, ...(await postgresEnvironment()) };
      const servers = await Promise.all([
        startServer({ environment: shared }),
        startServer({ environment: shared }),
      ]);
      const proxy = await openRoundRobinProxy(servers.map(({ url }) => url));
      return {
        url: proxy.url,
        settings: servers[0].settings,
        async stop() {
          proxy.close();
          await Promise.all(servers.map((server) => server.stop()));
        },
      };
    },
  ],
];
