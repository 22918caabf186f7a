import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A random secret in a file of its own, readable by its owner only: made when absent, the same at every later start. */
export function loadOrCreateSecret(file: string): { value: string; made: boolean } {
  const kept = read(file);
  if (kept !== null) return { value: kept, made: false };
  const value = randomBytes(32).toString('base64url');
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(draft, `${value}\n`, { mode: 0o600, flag: 'wx', flush: true });
    // A link is made whole or not at all, and never over the file of a process that was faster.
    linkSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  return { value, made: true };
}

function read(file: string): string | null {
  let content: string;
  try {
    content = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  if (content.length < 32) throw new Error(`${file} does not hold a secret of at least 32 characters.`);
  return content;
}
