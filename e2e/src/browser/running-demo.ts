import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { startDemo } from '@parley/demo/demo';
import { startService } from '@parley/demo/service';
import { connectSettings } from '@parley/demo/settings';

/** The demo sites on a service with a database of its own. */
interface RunningDemo {
  url: string;
  /** Address of the service. */
  service(): string;
  /** `kill -9`, then `revive` on the same port and database. */
  kill(): Promise<void>;
  revive(): Promise<void>;
  /** Gives Fernhill's agent another script; the returned function restores the first. */
  teach(script: object[]): Promise<() => Promise<void>>;
  secretKey: string;
}

async function runDemo(use: (demo: RunningDemo) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-e2e-'));
  const demo = await startDemo(0, folder);
  const start = (port: string) =>
    startService({
      PORT: port,
      DATABASE_URL: `file:${join(folder, 'parley.db')}`,
      EGRESS_ALLOW: demo.egress,
      LOG_LEVEL: 'error',
    });
  let service = await start('0');
  try {
    const firms = await demo.connect(service);
    const fernhill = firms.get('fernhill')!;
    const settings = () => connectSettings(service.url, service.adminToken);
    await use({
      url: demo.url,
      service: () => service.url,
      kill: () => service.stop('SIGKILL'),
      revive: async () => {
        service = await start(new URL(service.url).port);
      },
      teach: async (script) => {
        const path = `/agents/${fernhill.agentId}`;
        const agent = await settings()('GET', path);
        await settings()('PATCH', path, { model: { provider: 'scripted', model: 'scripted', script } });
        return async () => {
          await settings()('PATCH', path, { model: agent?.model });
        };
      },
      secretKey: fernhill.secret.key,
    });
  } finally {
    await service.stop();
    await demo.close();
    await rm(folder, { recursive: true });
  }
}

interface TestFixtures {
  /** Replaces the script of Fernhill's agent until the test ends. */
  script: (rules: object[]) => Promise<void>;
}

export const test = base.extend<TestFixtures, { demo: RunningDemo }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the pattern.
  demo: [async ({}, use) => runDemo(use), { scope: 'worker', timeout: 60_000 }],
  script: async ({ demo }, use) => {
    const restore: (() => Promise<void>)[] = [];
    await use(async (rules) => {
      restore.push(await demo.teach(rules));
    });
    await restore[0]?.();
  },
});
