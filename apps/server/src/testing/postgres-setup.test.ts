import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from './test-service.ts';

const root = join(import.meta.dirname, '../../../..');

test('a run with a failed test ends with an error, although it could have started PostgreSQL', async () => {
  const folder = testFolder();
  const setup = join(import.meta.dirname, 'postgres-setup.ts');
  const config = {
    test: { root: folder, include: ['failing.test.js'], globals: true, globalSetup: [setup] },
  };
  writeFileSync(join(folder, 'vitest.config.js'), `export default ${JSON.stringify(config)};`);
  writeFileSync(join(folder, 'failing.test.js'), `test('fails', () => expect(1).toBe(2));`);
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const ended = new Promise<[unknown, string]>((resolve) => {
    execFile(
      process.execPath,
      [vitest, 'run', '--config', join(folder, 'vitest.config.js')],
      { cwd: root },
      (error, output) => resolve([error?.code ?? 0, output]),
    );
  });
  const [code, output] = await ended;
  expect(output).toContain('1 failed');
  expect(code).toBe(1);
});
