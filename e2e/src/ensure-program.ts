import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program of this machine; as root, of Debian's package where there is none. */
export function ensureProgram(name: string, debianPackage = name): string {
  const there = find(name);
  if (there !== undefined) return there;
  if (process.getuid?.() === 0) installPackages(debianPackage);
  const installed = find(name);
  if (installed === undefined) throw new Error(`There is no ${name} here: install it, or be root.`);
  return installed;
}

/** Debian's packages; only root may install them. */
export function installPackages(...names: readonly string[]): void {
  const options = {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  } as const;
  execFileSync('apt-get', ['update'], options);
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', ...names], options);
}

/** Debian keeps servers where only root's PATH leads. */
const find = (name: string): string | undefined =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
