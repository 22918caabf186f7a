import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { common, output, root } from './common.ts';
import { buildPackage } from './package.ts';
import { removeOld } from './remove-old.ts';
import { shrink } from './shrink.ts';
import { laterImports } from './later-imports.ts';
import { jsxFactory } from './jsx-factory.ts';
import { ownGlobals } from './own-globals.ts';
import { words } from './words.ts';

/** What the service publishes at `/v1/manifest.json`, and where it finds what it serves. */
type Manifest = {
  version: string;
  loader: string;
  panel: string;
  frame: string;
  /** What of others ships in it. */
  licenses: string;
  /** By version: the pinned loader, its hash for a script tag, and the hash of every module it can load. */
  versions: Record<string, { loader: string; integrity: string; modules: Record<string, string> }>;
};

type Chunk = { fileName: string; imports: readonly string[] };

const dist = process.argv[2] ?? join(root, 'dist');

const licenses = 'assets/licenses.md';
const conversation = join(root, '../conversation/src');
/**
 * The parts of the panel in the order they are wanted, each with what its conversation loads for it, or, for `text`, the words
 * of the cards: one request brings both. What several import is in the first of them.
 */
const parts = {
  panel: [join(root, 'src/shell/mount.tsx')],
  text: [join(root, 'src/entries/text.ts'), join(root, 'src/i18n/card-labels.ts')],
  parts: [join(root, 'src/entries/parts.ts')],
  thread: [join(root, 'src/entries/thread.ts')],
  shell: [join(root, 'src/entries/shell.ts')],
  // What is understood and what shows it come together, or what is shown already would move.
  cards: [join(root, 'src/entries/cards.ts'), join(conversation, 'replies/replying.ts')],
  // Kept with what is there anyway: a page may say something first when there is no network.
  serving: [join(conversation, 'page-tools/serving.ts'), join(conversation, 'page-tools/page-rules.ts')],
  attachments: [join(root, 'src/attachments/attachments.ts'), join(conversation, 'outbox/attaching.ts')],
};

/** The panel: ES modules named by their content, so that they may be kept for ever. */
async function buildPanel(): Promise<Chunk[]> {
  const result = await build({
    ...common,
    plugins: [jsxFactory, words, laterImports, shrink],
    build: {
      ...output(dist),
      license: { fileName: licenses },
      // As a library: nothing is wrapped in helpers that a page does not need.
      lib: {
        entry: {
          ...Object.fromEntries(Object.entries(parts).map(([name, [path]]) => [name, path!])),
          frame: join(root, 'src/entries/mount-frame.ts'),
        },
        formats: ['es'],
      },
      rolldownOptions: {
        // Making the code small takes nearly all of the time, as it should.
        checks: { pluginTimings: false },
        transform: { inject: ownGlobals },
        preserveEntrySignatures: 'allow-extension',
        output: {
          minify: false,
          entryFileNames: 'assets/[name]-[hash:6].js',
          chunkFileNames: 'assets/[name]-[hash:6].js',
          // Each with all that it imports, or what it shares with later chunks would be more requests.
          codeSplitting: {
            groups: Object.entries(parts).map(([name, paths], index, all) => ({
              name,
              test: (id: string) => paths.includes(id),
              priority: all.length - index,
            })),
          },
        },
      },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((each) =>
    'output' in each ? each.output : [],
  );
  return outputs.flatMap((each) =>
    each.type === 'chunk' ? [{ fileName: each.fileName, imports: each.imports }] : [],
  );
}

/** What judges the calls of a page that has no panel yet: a module that stands alone, or it would bring the panel. */
async function buildJudge(): Promise<string> {
  const result = await build({
    ...common,
    plugins: [shrink],
    build: {
      ...output(dist),
      lib: { entry: { judge: join(root, 'src/entries/judge.ts') }, formats: ['es'] },
      rolldownOptions: {
        transform: { inject: ownGlobals },
        output: { minify: false, entryFileNames: 'assets/[name]-[hash:6].js' },
      },
    },
  });
  const [judge] = [result].flat().flatMap((each) => ('output' in each ? each.output : []));
  return judge!.fileName;
}

/** A loader: one classic script, which knows where the panel is and, pinned, where to learn what modules hash to. */
async function buildLoader(path: string, define: Record<string, unknown>): Promise<void> {
  await build({
    ...common,
    plugins: [shrink],
    define: Object.fromEntries(
      Object.entries(define).map(([name, value]) => [name, JSON.stringify(value) ?? 'undefined']),
    ),
    build: {
      ...output(join(dist, dirname(path))),
      // As a library, or the import of the panel would be wrapped in a helper that preloads style sheets.
      lib: {
        entry: join(root, 'src/entries/launcher.ts'),
        formats: ['iife'],
        name: 'parleyLoader',
        fileName: () => 'parley.js',
      },
    },
  });
}

const hash = async (path: string, algorithm: 'sha256' | 'sha384') =>
  createHash(algorithm)
    .update(await readFile(join(dist, path)))
    .digest('base64');

/** A module with the hashes of what each of these loads: a loader would be half as long again with them. */
async function writeHashes(chunks: readonly Chunk[], panel: string): Promise<string> {
  const others = chunks.filter(({ fileName }) => fileName !== panel);
  const reached = (name: string): string[] => [
    name,
    ...(others.find(({ fileName }) => fileName === name)?.imports ?? [])
      .filter((each) => each !== panel)
      .flatMap(reached),
  ];
  const known = await Promise.all(
    others.map(async ({ fileName }) => {
      const loaded = [...new Set(reached(fileName))];
      return [
        fileName,
        await Promise.all(loaded.map(async (name) => [name, await hash(name, 'sha256')])),
      ] as const;
    }),
  );
  const code = `export const hashes=${JSON.stringify(Object.fromEntries(known))}`;
  const name = `assets/hashes-${createHash('sha256').update(code).digest('base64url').slice(0, 8)}.js`;
  await writeFile(join(dist, name), code);
  return name;
}

/** What is served compressed is compressed once, here, at the best ratio. */
async function compress(name: string): Promise<void> {
  const path = join(dist, name);
  const content = await readFile(path);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, quality));
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
}

async function earlierVersions(): Promise<Manifest['versions']> {
  try {
    return (JSON.parse(await readFile(join(dist, 'manifest.json'), 'utf8')) as Manifest).versions ?? {};
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}

const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
await mkdir(join(dist, 'assets'), { recursive: true });
const chunks = await buildPanel();
const modules = chunks.map(({ fileName }) => fileName);
const named = (part: string) => {
  const found = modules.find((name) => name.startsWith(`assets/${part}-`));
  if (found === undefined) throw new Error(`The build made no ${part}.`);
  return found;
};
const panel = named('panel');
const frame = named('frame');
const loadable = chunks.filter(({ fileName }) => fileName !== frame);
const hashes = await writeHashes(loadable, panel);
const loaded = [...loadable.map(({ fileName }) => fileName), hashes].toSorted();

const judge = await buildJudge();
const pinned = `v${version}/parley.js`;
await buildLoader('parley.js', { PANEL: panel, JUDGE: judge, VERSION: version, PINNED: undefined });
await buildLoader(pinned, {
  PANEL: panel,
  JUDGE: judge,
  VERSION: version,
  PINNED: {
    panelHash: await hash(panel, 'sha256'),
    judgeHash: await hash(judge, 'sha256'),
    hashes,
    hashesHash: await hash(hashes, 'sha256'),
  },
});
const published = await Promise.all(
  [...loaded, judge].toSorted().map(async (name) => [name, `sha384-${await hash(name, 'sha384')}`] as const),
);

const manifest: Manifest = {
  version,
  loader: 'parley.js',
  panel,
  frame,
  licenses,
  versions: {
    ...(await earlierVersions()),
    [version]: {
      loader: pinned,
      integrity: `sha384-${await hash(pinned, 'sha384')}`,
      modules: Object.fromEntries(published),
    },
  },
};
await removeOld(dist, manifest.versions, Date.now());
await Promise.all(['parley.js', pinned, judge, hashes, licenses, ...modules].map(compress));
await writeFile(join(dist, 'manifest.json'), `${JSON.stringify(manifest)}\n`);
await buildPackage(join(dist, 'npm'));
