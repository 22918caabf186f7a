import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type Encoding = 'br' | 'gzip' | 'identity';
export type WidgetFile = {
  readonly etag: string;
  readonly mediaType: string;
  readonly bodies: Readonly<Partial<Record<Encoding, Buffer>> & { identity: Buffer }>;
};

/** The build's own account of itself, with more in it than is read here. */
type Manifest = { readonly panel: string; readonly frame: string; readonly versions: object };

/** The built widget. A file is read when it is first asked for, and kept. */
export type WidgetAssets = {
  readonly manifest: Manifest;
  /** By its path in the build; undefined unless the build made it. */
  file(path: string): Promise<WidgetFile> | undefined;
};

const dist = join(import.meta.dirname, '../../../../../packages/widget/dist');
const compressed = { br: '.br', gzip: '.gz', identity: '' } satisfies Record<Encoding, string>;

export async function readWidgetAssets(): Promise<WidgetAssets> {
  const text = await readFile(join(dist, 'manifest.json'), 'utf8').catch((cause: unknown) => {
    throw new Error('The widget has not been built.', { cause });
  });
  const manifest = JSON.parse(text) as Manifest;
  const assets = (await readdir(join(dist, 'assets'))).filter((name) => name.endsWith('.js'));
  const pinned = Object.keys(manifest.versions).map((version) => `v${version}/parley.js`);
  const paths = new Set(['parley.js', ...pinned, ...assets.map((name) => `assets/${name}`)]);
  const files = new Map<string, Promise<WidgetFile>>();
  files.set('manifest.json', Promise.resolve(toFile('application/json', { identity: Buffer.from(text) })));
  return {
    manifest,
    file(path) {
      const known = files.get(path);
      if (known || !paths.has(path)) return known;
      const reading = readScript(path);
      files.set(path, reading);
      reading.catch(() => files.delete(path));
      return reading;
    },
  };
}

async function readScript(path: string): Promise<WidgetFile> {
  const body = (encoding: Encoding) => readFile(join(dist, path + compressed[encoding]));
  const [br, gzip, identity] = await Promise.all([body('br'), body('gzip'), body('identity')]);
  return toFile('text/javascript', { br, gzip, identity });
}

function toFile(
  mediaType: string,
  bodies: Partial<Record<Encoding, Buffer>> & { identity: Buffer },
): WidgetFile {
  const etag = createHash('sha256').update(bodies.identity).digest('base64url').slice(0, 22);
  return { etag, mediaType, bodies };
}
