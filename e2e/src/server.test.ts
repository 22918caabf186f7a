import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('a service that a test has started ends with it, also where the test is killed', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-e2e-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const program = `import { startServer } from ${JSON.stringify(join(import.meta.dirname, 'server.ts'))};
    const { pid } = await startServer({ directory: ${JSON.stringify(directory)} });
    process.stdout.write(String(pid));`;
  const killed = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void killed.kill('SIGKILL'));
  const [output] = await once(killed.stdout, 'data');
  const pid = Number(String(output));
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  });
  expect(isAlive(pid)).toBe(true);
  killed.kill('SIGKILL');
  await expect.poll(() => isAlive(pid)).toBe(false);
});
