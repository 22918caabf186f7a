import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { startDemo } from '@parley/demo/demo';
import { ampleLimits } from '../ample-limits.ts';
import { startServer } from '../server.ts';
import { openLink } from './link.ts';

/** The demo sites on a service with a database of its own. */
export interface RunningDemo {
  url: string;
  /** Address of the service. */
  service: string;
  /** Fernhill's secret key. */
  secretKey: string;
  /** Kills the service (SIGKILL) and starts it again, at the same address and on the same database. */
  killAndRestart(): Promise<void>;
  /** Changes the settings of Fernhill's agent, whose id it is. */
  agentId: string;
  configure: (change: object) => Promise<unknown>;
  /** What visitors thought of that agent's turns. */
  feedback(): Promise<{ sessionId: string; turnId: string; rating: string; comment: string | null }[]>;
  /** Another publishable key of that agent, for pages of these origins. */
  createKey(allowedOrigins: string[]): Promise<string>;
  /** Gives Fernhill's agent another script, and returns the one it had. */
  setScript(script: unknown): Promise<unknown>;
}

/** Runs the demo as long as `use` needs it. */
export async function runDemo(use: (demo: RunningDemo) => Promise<void>) {
  const directory = await mkdtemp(join(tmpdir(), 'parley-browser-'));
  const demo = await startDemo(0, directory);
  const link = await openLink();
  const start = async () => {
    const started = await startServer({
      directory,
      environment: { PUBLIC_URL: link.url, EGRESS_ALLOW: demo.egress, LOG_LEVEL: 'error' },
    });
    link.leadTo(started.url);
    return started;
  };
  let server = await start();
  try {
    const tenants = await demo.connect({ ...server, url: link.url });
    for (const tenant of tenants.values()) {
      await server.settings('PATCH', `/agents/${tenant.agentId}`, { limits: ampleLimits });
    }
    const { tenantId, agentId, secret } = tenants.get('fernhill')!;
    await use({
      url: demo.url,
      service: link.url,
      secretKey: secret.key,
      killAndRestart: async () => {
        await server.kill();
        server = await start();
      },
      agentId,
      configure: (change) => server.settings('PATCH', `/agents/${agentId}`, change),
      feedback: async () =>
        (
          await server.settings<{ items: Awaited<ReturnType<RunningDemo['feedback']>> }>(
            'GET',
            `/feedback?agentId=${agentId}&limit=200`,
          )
        ).items,
      createKey: async (allowedOrigins) => {
        const key = { tenantId, agentId, kind: 'publishable', allowedOrigins };
        return (await server.settings<{ key: string }>('POST', '/keys', key)).key;
      },
      setScript: async (script) => {
        const { model } = await server.settings<{ model: { script: unknown } }>('GET', `/agents/${agentId}`);
        await server.settings('PATCH', `/agents/${agentId}`, { model: { provider: 'scripted', script } });
        return model.script;
      },
    });
  } finally {
    link.close();
    await server.stop();
    await demo.close();
    await rm(directory, { recursive: true });
  }
}

interface TestFixtures {
  /** Replaces the script of Fernhill's agent until the test ends. */
  script: (rules: object[]) => Promise<void>;
}

export const test = base.extend<TestFixtures, { demo: RunningDemo }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the pattern.
  demo: [async ({}, use) => runDemo(use), { scope: 'worker', timeout: 120_000 }],
  script: async ({ demo }, use) => {
    let first: unknown;
    await use(async (rules) => {
      const replaced = await demo.setScript(rules);
      first ??= replaced;
    });
    if (first) await demo.setScript(first);
  },
});
