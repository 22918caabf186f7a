import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A loader that a browser or a proxy has kept finds its modules for a year. */
const keptFor = 366 * 24 * 60 * 60 * 1_000;

/** Removes the modules of earlier builds in `dist/assets` that are older than a year, but those that a version names: pages pin it. */
export async function removeOld(
  dist: string,
  versions: Record<string, { modules: Record<string, string> }>,
  now: number,
): Promise<void> {
  const pinned = new Set(Object.values(versions).flatMap(({ modules }) => Object.keys(modules)));
  for (const name of await readdir(join(dist, 'assets'))) {
    const path = join(dist, 'assets', name);
    const isPinned = pinned.has(`assets/${name.replace(/\.(?:br|gz)$/, '')}`);
    if (!isPinned && now - (await stat(path)).mtimeMs > keptFor) await rm(path);
  }
}
