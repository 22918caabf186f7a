import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

test('the console is one page that loads at most 40 kB at first, with nothing in it that a strict policy forbids', async () => {
  const dist = await mkdtemp(join(tmpdir(), 'parley-console-'));
  onTestFinished(() => rm(dist, { recursive: true }));
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'build.ts'), dist]);
  const page = await readFile(join(dist, 'index.html'), 'utf8');
  expect(page).not.toMatch(/<script>|<style|style=|\son\w+=/);
  const assets = await readdir(join(dist, 'assets'));
  const unnamed = assets.filter((name) => !/-[\w-]{8}\.(?:js|css)(?:\.br|\.gz)?$/.test(name));
  expect(new Set(unnamed.map((name) => name.replace(/\.(?:br|gz)$/, '')))).toEqual(new Set(['licenses.md']));
  // A room is loaded when somebody enters it.
  const first = [...page.matchAll(/\/console\/(assets\/[^"]+)/g)].map(([, path]) => `${path}.br`);
  expect(first.length).toBeGreaterThanOrEqual(2);
  const loaded = ['index.html.br', ...first];
  const bytes = await Promise.all(loaded.map(async (name) => (await readFile(join(dist, name))).length));
  expect(bytes.reduce((sum, each) => sum + each, 0) / 1_000).toBeLessThanOrEqual(40);
});
