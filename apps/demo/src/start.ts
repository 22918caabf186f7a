/** `pnpm start`: builds the widget, the console and the demo's pages, starts the service, seeds the demo tenants, serves their sites. */
import { execFileSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { startDemo } from './demo.ts';
import { freePort } from './free-port.ts';
import type { SeededFirm } from './seed.ts';
import { type Service, startService } from './service.ts';

const root = join(import.meta.dirname, '../../..');
const { DATABASE_URL = 'file:data/parley.db' } = process.env;
/** Beside the embedded database, which PostgreSQL is not. */
const database = DATABASE_URL.startsWith('file:') ? DATABASE_URL.slice('file:'.length) : 'data/parley.db';
const dataFolder = dirname(resolve(root, database));
const interrupted = new Promise<undefined>((done) => {
  process.once('SIGINT', () => done(undefined)).once('SIGTERM', () => done(undefined));
});

try {
  // Nobody waits for two builds to hear that a port is taken.
  await freePort('PORT', 3000, process.env.HOST?.trim() || '127.0.0.1');
  const demoPort = await freePort('DEMO_PORT', 3001, '127.0.0.1');
  build('packages/widget');
  build('apps/console');
  build('apps/demo');
  await start(demoPort);
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

function build(folder: string) {
  execFileSync(process.execPath, ['--run', 'build'], { cwd: join(root, folder), stdio: 'inherit' });
}

async function start(demoPort: number) {
  const demo = await startDemo(demoPort, dataFolder);
  let service: Service | undefined;
  try {
    service = await startService({
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
      EGRESS_ALLOW: [process.env.EGRESS_ALLOW, demo.egress].filter(Boolean).join(','),
    });
    const seeded = await demo.connect(service);
    print(service, demo.url, seeded);
    process.send?.({ ready: true, service: service.url, demo: demo.url });
    const why = await Promise.race([interrupted, service.ended]);
    if (why) throw new Error(`The service stopped (${why}).`);
  } finally {
    await service?.stop();
    await demo.close();
  }
}

function print(
  { url: service, adminToken, setupLink }: Service,
  demo: string,
  seeded: Map<string, SeededFirm>,
) {
  const fernhill = seeded.get('fernhill');
  const saltmarsh = seeded.get('saltmarsh');
  console.log(`
  Parley is running.

  Demo             ${demo}/         asks and answers about itself
    Fernhill       ${demo}/fernhill/     script tag
    Saltmarsh      ${demo}/saltmarsh/    iframe
    Scenes         ${demo}/scenes/       every way to embed it
  Service          ${service}
    Documentation  ${service}/docs
    Console        ${setupLink ?? `${service}/console`}
    Admin token    ${adminToken}

  Fernhill Cycles  ${fernhill?.publishable.key}   in the page
                   ${fernhill?.secret.key}   on a server
  Saltmarsh Cabins ${saltmarsh?.publishable.key}   in the page
                   ${saltmarsh?.secret.key}   on a server

  Ask the same agent from a server:

  curl ${service}/api/v1/agent/chat \\
    -H 'Authorization: Bearer ${fernhill?.secret.key}' \\
    -H 'Content-Type: application/json' \\
    -d '{"id": "ticket-1", "text": "Where is order 1042?"}'

  Ctrl+C stops both.
`);
}
