import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';

let dist: string;
let names: string[];

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'parley-widget-'));
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'build.ts'), dist]);
  names = await readdir(join(dist, 'assets'));
}, 60_000);

afterAll(() => rm(dist, { recursive: true }));

const kilobytes = async (path: string) => brotliCompressSync(await readFile(join(dist, path))).length / 1_000;
const assets = (part: string) =>
  names.filter((name) => name.startsWith(part) && name.endsWith('.js')).map((name) => `assets/${name}`);

test('the launcher costs at most 2.0 kB in one request', async () => {
  expect(await kilobytes('parley.js')).toBeLessThanOrEqual(2);
});

test('the panel costs at most 22 kB more in one request', async () => {
  expect(assets('panel')).toHaveLength(1);
  expect(await kilobytes(assets('panel')[0]!)).toBeLessThanOrEqual(22);
});

test('what shows answers costs at most 10 kB and is all that loads later', async () => {
  expect(assets('')).toHaveLength(2);
  expect(await kilobytes(assets('turns')[0]!)).toBeLessThanOrEqual(10);
});

test('the loader knows the panel that was built with it', async () => {
  expect(await readFile(join(dist, 'parley.js'), 'utf8')).toContain(assets('panel')[0]);
});
