import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../testing/test-service.ts';

/** A process that runs the build of a package, whose script is this. */
function building(script: string) {
  const folder = testFolder();
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { build: 'node build.mjs' } }));
  writeFileSync(join(folder, 'build.mjs'), script);
  const program = `
    import { runBuild } from ${JSON.stringify(join(import.meta.dirname, 'run-build.ts'))};
    console.log('Built: ' + (await runBuild(${JSON.stringify(folder)})));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  // Whatever the build starts may hold the output open.
  return { child, exited: once(child, 'exit'), said: () => said };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s during a build ends the build and the process',
  async (signal) => {
    const { child, exited, said } = building(
      'console.log(`Build ${process.pid}.`); setInterval(() => {}, 1_000);',
    );
    await expect.poll(said).toMatch(/^Build \d+\.\n/);
    const pid = Number(/\d+/.exec(said())?.[0]);
    onTestFinished(() => {
      if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    });
    child.kill(signal);
    // No signal has ended it, which the first process of a container does not hear.
    expect(await exited).toEqual([0, null]);
    await expect.poll(() => isAlive(pid)).toBe(false);
  },
);

test('a build that fails is told from one that does not', async () => {
  const [good, bad] = [building(''), building('process.exitCode = 2')];
  await Promise.all([good.exited, bad.exited]);
  await expect.poll(good.said).toBe('Built: true\n');
  await expect.poll(bad.said).toBe('Built: false\n');
});
