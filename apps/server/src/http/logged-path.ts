import { createHash } from 'node:crypto';

/**
 * A path as the log may hold it. A session's id is the right to read it and a conversation's id may name a person, so
 * both become a short digest, by which lines of one conversation still find each other. The query is left out.
 */
export function loggedPath(path: string): string {
  return path
    .replace(/^(\/[a-z][a-z0-9-]*\/v1\/session\/)([^/]+)/, hashed)
    .replace(/^(\/api\/v1\/agent\/chat\/)([^/]+)/, hashed);
}

function hashed(match: string, prefix: string, id: string): string {
  if (id === 'clear' || id === 'compact' || id === 'reset' || id === 'file') return match;
  return prefix + createHash('sha256').update(id).digest('base64url').slice(0, 12);
}
