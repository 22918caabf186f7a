import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { removeOld } from './remove-old.ts';

test('a module that nobody pins goes after a year, and one of a pinned version stays', async () => {
  const dist = await mkdtemp(join(tmpdir(), 'parley-dist-'));
  onTestFinished(() => rm(dist, { recursive: true }));
  await mkdir(join(dist, 'assets'));
  const pinned = ['panel-one.js', 'panel-one.js.br', 'panel-one.js.gz'];
  for (const name of [...pinned, 'panel-two.js', 'panel-two.js.br'])
    await writeFile(join(dist, 'assets', name), '');
  const versions = { '0.1.0': { modules: { 'assets/panel-one.js': 'sha384-' } } };
  const names = async () => (await readdir(join(dist, 'assets'))).toSorted();
  const day = 24 * 60 * 60 * 1_000;
  await removeOld(dist, versions, Date.now() + 360 * day);
  expect(await names()).toHaveLength(5);
  await removeOld(dist, versions, Date.now() + 370 * day);
  expect(await names()).toEqual(pinned);
});
