import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Image, runDockerfile } from './run-dockerfile.ts';

const root = join(import.meta.dirname, '../../..');
const port = '3987';
const startMs = 30_000;
/** Of `debian:bookworm-slim`, as its registry says. */
const baseMegabytes = 75;
const maxMegabytes = 300;

/** Follows the Dockerfile in an empty folder, starts what comes out as its user, and looks at what it serves. */
export async function tryImage(): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'parley-image-'));
  try {
    const begun = performance.now();
    const image = runDockerfile({
      dockerfile: join(root, 'apps/server/deploy/Dockerfile'),
      context: root,
      work,
      report: (line) =>
        console.log(
          `${((performance.now() - begun) / 1_000).toFixed(1).padStart(6)} s ${line.slice(0, 100)}`,
        ),
    });
    console.log(`  built in ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
    sayWhatItWeighs(image);
    await start(image);
  } finally {
    rmSync(work, { recursive: true });
  }
}

function sayWhatItWeighs({ root: folder }: Image): void {
  const kilobytes = Number(
    execFileSync('du', ['-sk', '--apparent-size', folder], { encoding: 'utf8' }).split('\t')[0],
  );
  const own = Math.round((kilobytes * 1_024) / 1e6);
  const node = Math.round(statSync(join(folder, 'usr/local/bin/node')).size / 1e6);
  console.log(`  ${own} MB, of which Node ${node}; with the base image about ${own + baseMegabytes} MB`);
  if (own + baseMegabytes > maxMegabytes) throw new Error(`The image has more than ${maxMegabytes} MB.`);
}

async function start({ root: folder, folder: cwd, environment, command, healthcheck, ...image }: Image) {
  // Only root may start it as another.
  const { uid, gid } = process.getuid?.() === 0 ? image : {};
  const data = join(folder, 'var/lib/parley');
  const [, ...args] = command;
  const node = join(folder, 'usr/local/bin/node');
  const env = { ...environment, PORT: port, DATABASE_URL: `file:${join(data, 'parley.db')}` };
  const child = spawn(node, args, { cwd, env, uid, gid, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  const exited = once(child, 'exit');
  try {
    const deadline = performance.now() + startMs;
    const isHealthy = () => spawnSync(node, healthcheck.slice(1), { cwd, env, uid, gid }).status === 0;
    while (!isHealthy()) {
      if (child.exitCode !== null || performance.now() > deadline)
        throw new Error(`It does not become healthy:\n${said}`);
      await setTimeout(100);
    }
    for (const path of ['/readyz', '/v1/parley.js', '/console', '/docs', '/openapi.json']) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}\n${said}`);
    }
    console.log(
      `  runs as user ${uid ?? process.getuid?.()}, is healthy, serves widget, console and reference; data: ${readdirSync(data).join(' ')}`,
    );
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
  if (child.exitCode !== 0) throw new Error(`It stopped with ${child.exitCode}:\n${said}`);
}
