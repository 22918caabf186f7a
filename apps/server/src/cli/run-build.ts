import { spawn } from 'node:child_process';
import { once } from 'node:events';

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
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  try {
    const [code] = await once(child, 'exit');
    return code === 0;
  } finally {
    process.off('SIGTERM', stop);
    process.off('SIGINT', stop);
  }
}
