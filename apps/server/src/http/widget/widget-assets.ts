import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unbuiltProblem } from '../../unbuilt.ts';
import { ProblemError } from '../problem.ts';
import { readStaticFile, type StaticFile, staticFile } from '../static-file.ts';

/** The build's own account of itself, with more in it than is read here. */
type Manifest = { readonly panel: string; readonly frame: string; readonly versions: object };

/** The built widget. A file is read when it is first asked for, and kept. */
export type WidgetAssets = {
  readonly manifest: Manifest;
  /** By its path in the build; undefined unless the build made it. */
  file(path: string): Promise<StaticFile> | undefined;
};

const dist = join(import.meta.dirname, '../../../../../packages/widget/dist');

/** What of others ships in the widget; the manifest names it. */
export const licences = 'assets/licenses.md';

export async function readWidgetAssets(): Promise<WidgetAssets> {
  const text = await readFile(join(dist, 'manifest.json'), 'utf8').catch(() => {
    throw new ProblemError('UNAVAILABLE', unbuiltProblem([{ what: 'the widget' }]), { retryAfter: 5 });
  });
  const manifest = JSON.parse(text) as Manifest;
  const assets = (await readdir(join(dist, 'assets'))).filter((name) => name.endsWith('.js'));
  const pinned = Object.keys(manifest.versions).map((version) => `v${version}/parley.js`);
  const paths = new Set(['parley.js', licences, ...pinned, ...assets.map((name) => `assets/${name}`)]);
  const files = new Map<string, Promise<StaticFile>>();
  files.set(
    'manifest.json',
    Promise.resolve(staticFile('application/json', { identity: Buffer.from(text) })),
  );
  return {
    manifest,
    file(path) {
      const known = files.get(path);
      if (known || !paths.has(path)) return known;
      const reading = readStaticFile(
        join(dist, path),
        path === licences ? 'text/markdown; charset=utf-8' : 'text/javascript',
      );
      files.set(path, reading);
      reading.catch(() => files.delete(path));
      return reading;
    },
  };
}
