import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** What systemd says of the unit, with this repository where the unit expects one. */
export function tryUnit(): void {
  const folder = mkdtempSync(join(tmpdir(), 'parley-unit-'));
  try {
    const unit = readFileSync(join(root, 'apps/server/deploy/parley.service'), 'utf8');
    const file = join(folder, 'parley.service');
    writeFileSync(file, unit.replaceAll('/opt/parley', root));
    const { status, stderr, error } = spawnSync('systemd-analyze', ['verify', '--man=no', file], {
      encoding: 'utf8',
    });
    if (error) return console.log('  there is no systemd here');
    if (status !== 0 || stderr.includes(file)) throw new Error(stderr);
    const security = spawnSync('systemd-analyze', ['security', '--offline=yes', file], { encoding: 'utf8' });
    console.log(`  ${security.stdout.trim().split('\n').at(-1)}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
