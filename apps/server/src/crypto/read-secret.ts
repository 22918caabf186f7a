import { readFileSync } from 'node:fs';
import { ConfigError } from '../config.ts';

const remedy = 'Put back what was there.';

/** The secret in a file; null where there is no file. Throws `ConfigError` with one that cannot be read or is too short. */
export function readSecret(file: string): string | null {
  let content: string;
  try {
    content = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if ('code' in error && error.code === 'ENOENT') return null;
    throw new ConfigError(`${file}: the secret in it cannot be read: ${error.message}. ${remedy}`, {
      cause: error,
    });
  }
  if (content.length < 32) throw new ConfigError(`${file}: a secret has 32 characters at least. ${remedy}`);
  return content;
}
