import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Example } from './read-examples.ts';

interface Run {
  readonly examples: readonly Example[];
  readonly folder: string;
  /** What readers put into the examples. */
  readonly fill: (code: string) => string;
  /** What is waited for behind a command, as its readers would. */
  readonly awaited?: Effect | undefined;
  readonly signal: AbortSignal;
}

/** What a terminal in the background says once the commands that contain `command` have taken effect. */
export interface Effect {
  readonly command: string;
  readonly says: string;
}

/** Does what a page says: saves its files, and gives its commands to one shell, one after the other. */
export async function runPage({
  examples,
  folder,
  fill,
  awaited,
  signal,
}: Run): Promise<{ code: number; said: string }> {
  await mkdir(folder, { recursive: true });
  const run = examples.filter(({ shown }) => shown === null);
  for (const { language, title, code } of run)
    if (language !== 'sh' && title !== '') await writeFile(join(folder, title), `${fill(code)}\n`);
  const commands = run
    .filter(({ language }) => language === 'sh')
    .map((example, index) => command(example, index) + waiting(example, awaited));
  await writeFile(join(folder, 'commands.sh'), fill(['set -euo pipefail', ...commands].join('\n')));
  // A group of its own, so that what runs in its background ends with it.
  const shell = spawn('bash', ['commands.sh'], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    },
  });
  const closed = new Promise((resolve) => shell.once('close', resolve));
  let said = '';
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  const end = () => shell.pid !== undefined && process.kill(-shell.pid, 'SIGKILL');
  signal.addEventListener('abort', end);
  const [code] = await once(shell, 'exit');
  try {
    end();
  } catch {
    // Nothing was left of it.
  }
  // What it said last is read after it has ended.
  await closed;
  signal.removeEventListener('abort', end);
  return { code: Number(code), said };
}

/** What runs in a terminal of its own has begun when it says something. */
function command({ title, code }: Example, index: number): string {
  if (title !== 'background') return code;
  const log = `background-${index}.log`;
  return `(\n${code}\n) > ${log} 2>&1 &\nuntil [ -s ${log} ]; do sleep 0.05; done`;
}

function waiting({ code }: Example, awaited: Effect | undefined): string {
  if (awaited === undefined || !code.includes(awaited.command)) return '';
  return `\nuntil grep -q '${awaited.says}' background-*.log; do sleep 0.05; done\ncat background-*.log`;
}
