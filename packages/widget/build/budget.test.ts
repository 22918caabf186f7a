import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';

type Manifest = {
  version: string;
  panel: string;
  versions: Record<string, { loader: string; integrity: string; modules: Record<string, string> }>;
};

let dist: string;
let names: string[];
let manifest: Manifest;

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'parley-widget-'));
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'build.ts'), dist]);
  names = (await readdir(join(dist, 'assets'))).filter((name) => name.endsWith('.js'));
  manifest = JSON.parse(await readFile(join(dist, 'manifest.json'), 'utf8')) as Manifest;
}, 120_000);

afterAll(() => rm(dist, { recursive: true }));

const kilobytes = async (path: string) => brotliCompressSync(await readFile(join(dist, path))).length / 1_000;
const asset = (part: string) => {
  const found = names.filter((name) => name.startsWith(`${part}-`));
  expect(found).toHaveLength(1);
  return `assets/${found[0]}`;
};
const sha384 = async (path: string) =>
  `sha384-${createHash('sha384')
    .update(await readFile(join(dist, path)))
    .digest('base64')}`;

test('the launcher costs at most 2.0 kB in one request', async () => {
  expect(await kilobytes('parley.js')).toBeLessThanOrEqual(2);
});

test('a pinned loader, which knows where every hash is, costs at most 2.5 kB', async () => {
  expect(await kilobytes(manifest.versions[manifest.version]!.loader)).toBeLessThanOrEqual(2.5);
});

test('a panel that greets, sends and shows answers costs at most 28.4 kB more in one request', async () => {
  expect(await kilobytes(asset('panel'))).toBeLessThanOrEqual(28.4);
});

test('the panel imports nothing else', async () => {
  expect(await readFile(join(dist, asset('panel')), 'utf8')).not.toMatch(/from"/);
});

/** What is a limit's is asserted with room to spare. */
const roomy = (limit: number) => limit * 0.95;
const isLanguage = (name: string) => /^[a-z]{2}-/.test(name);

test('everything else is loaded for itself and costs at most 6 kB', async () => {
  const others = names.filter((name) => !/^(panel|frame)-/.test(name));
  expect(others.length).toBeGreaterThan(30);
  const heavy = [];
  for (const name of others) {
    const size = await kilobytes(`assets/${name}`);
    if (size > roomy(6)) heavy.push(`${name}: ${size}`);
  }
  expect(heavy).toEqual([]);
});

test('what judges the calls of a page without a panel stands alone and costs at most 1.5 kB', async () => {
  expect(await kilobytes(asset('judge'))).toBeLessThanOrEqual(roomy(1.5));
  expect(await readFile(join(dist, asset('judge')), 'utf8')).not.toMatch(/from"|import\(/);
});

test('a line beside the launcher costs at most 2 kB', async () => {
  expect(await kilobytes(asset('teaser'))).toBeLessThanOrEqual(roomy(2));
});

test('a language costs at most 2 kB', async () => {
  const languages = names.filter(isLanguage);
  expect(languages).toHaveLength(8);
  for (const language of languages)
    expect(await kilobytes(`assets/${language}`), language).toBeLessThanOrEqual(roomy(2));
});

test('the loader knows the panel that was built with it', async () => {
  expect(await readFile(join(dist, 'parley.js'), 'utf8')).toContain(asset('panel'));
});

test('the manifest tells the hash of the pinned loader and of all that it can load', async () => {
  const { loader, integrity, modules } = manifest.versions[manifest.version]!;
  expect(integrity).toBe(await sha384(loader));
  const loadable = names.filter((name) => !name.startsWith('frame-')).map((name) => `assets/${name}`);
  expect(Object.keys(modules)).toEqual(loadable.toSorted());
  for (const [path, hash] of Object.entries(modules)) expect(hash).toBe(await sha384(path));
});

test('the package stands alone: nothing is imported from elsewhere but React, and of Preact its types', async () => {
  const files = await readdir(join(dist, 'npm'), { recursive: true });
  for (const name of files.filter((each) => /\.(js|d\.ts)$/.test(each))) {
    const code = await readFile(join(dist, 'npm', name), 'utf8');
    const sources = [...code.matchAll(/(?:from|import)\s*\(?\s*["'`]([^"'`\n]+)["'`]/g)].map(
      ([, source]) => source!,
    );
    const library = /(?<=^|\/)p?react/.exec(name)?.[0];
    expect(sources.filter((source) => !source.startsWith('.') && source !== library)).toEqual([]);
  }
});

test('the package can be imported where there is no browser', async () => {
  for (const entry of ['index', 'element', 'preact', 'server'])
    await expect(import(join(dist, 'npm', `${entry}.js`))).resolves.toBeTypeOf('object');
});

test('the React component says that it is for clients, as Next.js asks', async () => {
  expect(await readFile(join(dist, 'npm/react.js'), 'utf8')).toMatch(/^"use client";/);
});
