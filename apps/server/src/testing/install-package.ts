import { execFileSync } from 'node:child_process';

/** Installs a package of Debian that a test cannot do without. Others may be installing at the same time. */
export function installPackage(name: string): void {
  if (process.getuid?.() !== 0) throw new Error(`There is no ${name} here: install it, or be root.`);
  const options = {
    stdio: ['ignore', 'inherit', 'inherit'] as ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  const waiting = ['-o', 'DPkg::Lock::Timeout=120'];
  execFileSync('apt-get', [...waiting, 'update'], options);
  execFileSync('apt-get', [...waiting, 'install', '-y', '--no-install-recommends', name], options);
}
