import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

test.each(['start', 'serve', 'parley'])('an older Node that runs %s is told what to do', (name) => {
  const [program, ...words] = scripts[name]!.split(' ');
  expect(program).toBe('node');
  const older = `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'20.20.2'}})`;
  const { status, stderr } = spawnSync(process.execPath, ['--import', older, ...words], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stderr).toMatch(/^Node 20\.20\.2 is too old: Parley runs on 24.*pnpm@12 serve/);
  expect(status).toBe(1);
});
