import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readSecret } from './read-secret.ts';

/** A random secret in a file of its own, readable by its owner only: made when absent, the same at every later start. */
export function loadOrCreateSecret(file: string): { value: string; made: boolean } {
  const kept = readSecret(file);
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
