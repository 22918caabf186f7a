import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fernhill } from './fernhill.ts';
import { guide } from './guide.ts';
import { larkspur } from './larkspur.ts';
import { saltmarsh } from './saltmarsh.ts';
import { scenesHtml } from './scenes.ts';
import { type SeededFirm, seed } from './seed.ts';
import { serveSites } from './site.ts';

export interface Demo {
  /** Address of the demo sites, e.g. `http://localhost:3001`. */
  url: string;
  /** What `EGRESS_ALLOW` must contain for the tools to reach the tenants' servers. */
  egress: string;
  /** Seeds the tenants on a running service and fills the pages. Again after a restart: nothing is doubled. */
  connect(service: { url: string; adminToken: string }): Promise<Map<string, SeededFirm>>;
  close(): Promise<void>;
}

/** Serves the demo sites on `port` (0: any free one). Keys are kept in `dataFolder`. */
export async function startDemo(port: number, dataFolder: string): Promise<Demo> {
  const tenants = [fernhill, saltmarsh, larkspur, guide];
  await mkdir(dataFolder, { recursive: true });
  const site = await serveSites(tenants, port);
  const egress = `127.0.0.1:${site.port}`;
  const url = `http://localhost:${site.port}`;
  return {
    url,
    egress,
    connect: async (service) => {
      const seeded = await seed({
        service: service.url,
        adminToken: service.adminToken,
        tenants,
        server: `http://${egress}`,
        origins: [url, `http://${egress}`],
        file: join(dataFolder, 'demo.json'),
      });
      const keys = [...seeded].map(([slug, { publishable }]) => [slug, publishable.key] as const);
      site.open({
        ...Object.fromEntries(keys),
        scenes: await scenesHtml(),
        // Of an agent that reads out what everybody may read, on a page that only this machine is shown.
        guideSecret: seeded.get('guide')?.secret.key ?? '',
        ...(await readPinned(service.url)),
        service: service.url,
      });
      return seeded;
    },
    close: () => site.close(),
  };
}

/** The pinned loader of the service, for a page that wants to know what it runs. */
async function readPinned(service: string): Promise<{ version: string; integrity: string }> {
  const answer = await fetch(`${service}/v1/manifest.json`);
  if (!answer.ok) throw new Error(`The service answered ${answer.status} for its manifest.`);
  const { version, versions } = (await answer.json()) as {
    version: string;
    versions: Record<string, { integrity: string }>;
  };
  return { version, integrity: versions[version]?.integrity ?? '' };
}
