import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fernhill } from './fernhill.ts';
import { saltmarsh } from './saltmarsh.ts';
import { type SeededFirm, seed } from './seed.ts';
import { serveSites } from './site.ts';

export interface Demo {
  /** Address of the demo sites, e.g. `http://localhost:3001`. */
  url: string;
  /** What `EGRESS_ALLOW` must contain for the tools to reach the firms' servers. */
  egress: string;
  /** Seeds the firms on a running service and fills the pages. Again after a restart: nothing is doubled. */
  connect(service: { url: string; adminToken: string }): Promise<Map<string, SeededFirm>>;
  close(): Promise<void>;
}

/** Serves the demo sites on `port` (0: any free one). Keys are kept in `dataFolder`. */
export async function startDemo(port: number, dataFolder: string): Promise<Demo> {
  const firms = [fernhill, saltmarsh];
  await mkdir(dataFolder, { recursive: true });
  const site = await serveSites(firms, port);
  const egress = `127.0.0.1:${site.port}`;
  const url = `http://localhost:${site.port}`;
  return {
    url,
    egress,
    connect: async (service) => {
      const seeded = await seed({
        service: service.url,
        adminToken: service.adminToken,
        firms,
        server: `http://${egress}`,
        origins: [url, `http://${egress}`],
        file: join(dataFolder, 'demo.json'),
      });
      const filled = [...seeded].map(
        ([slug, { publishable }]) => [slug, { service: service.url, key: publishable.key }] as const,
      );
      site.open(new Map(filled));
      return seeded;
    },
    close: () => site.close(),
  };
}
