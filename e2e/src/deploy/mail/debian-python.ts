import { spawnSync } from 'node:child_process';
import { installPackages } from '../../ensure-program.ts';

/** Debian's packages are those of its own Python; another one may come first in the PATH. */
const python = '/usr/bin/python3';

/** The path of Debian's Python, with aiosmtpd and icalendar; as root they are installed where they are missing. */
export function debianPython(): string {
  if (isComplete()) return python;
  if (process.getuid?.() === 0) installPackages('python3', 'python3-aiosmtpd', 'python3-icalendar');
  if (isComplete()) return python;
  throw new Error('There is no python3-aiosmtpd or python3-icalendar here: install them, or be root.');
}

const isComplete = (): boolean => spawnSync(python, ['-c', 'import aiosmtpd, icalendar']).status === 0;

/** What a Python of ours has in its environment: nothing is left beside its sources. */
export const pythonEnvironment = { PYTHONDONTWRITEBYTECODE: '1' };
