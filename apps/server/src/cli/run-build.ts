import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** SIGHUP: the terminal is closed, which a group of its own does not hear. */
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Runs the script `build` of the package in this folder; false when it fails. A signal that ends this process ends it, too. */
export async function runBuild(folder: string): Promise<boolean> {
  // In a group of its own, all of which hears the signal: the script is a shell with programs in it.
  const child = spawn(process.execPath, ['--run', 'build'], {
    cwd: folder,
    stdio: 'inherit',
    detached: true,
  });
  const stop = (): never => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    process.exit(0);
  };
  for (const signal of signals) process.on(signal, stop);
  try {
    const [code] = await once(child, 'exit');
    return code === 0;
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}
