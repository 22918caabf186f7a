import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';

let template: Promise<string> | null = null;

/** An empty SQLite database whose schema is up to date, at `path`: a copy takes a fifth of the time of making it. */
export async function copyMigratedDatabase(path: string): Promise<void> {
  template ??= makeTemplate();
  copyFileSync(await template, path);
}

async function makeTemplate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-template-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'template.db');
  await (await openSqliteStore({ path })).close();
  return path;
}
