import { logDigest } from '../../crypto/log-digest.ts';
import type { Secrets } from '../../crypto/secrets.ts';

/** Paths below `/session/` that name no session. */
const literal = new Set(['clear', 'compact', 'reset', 'file']);

/**
 * A path as the log may hold it. The id of a session, a file or a feed is the right to read it, a link the right to approve, and a conversation's may be one
 * and may name a person, so each becomes a digest, by which lines of one thing still find each other. The query is
 * left out.
 */
export function loggedPath(path: string, secrets: Pick<Secrets, 'mac'>): string {
  return path
    .replace(
      /^(\/[^/]+\/v1\/(?:session|file|calendar|approvals|connections\/sign-in)\/)([^/]+)/,
      (match, prefix: string, id: string) => (literal.has(id) ? match : prefix + logDigest(id)),
    )
    .replace(
      /^(\/api\/v1\/agent\/chat\/)(.+?)(\/stream)?$/,
      (_match, prefix: string, id: string, suffix = '') =>
        // Unlike the others it can be guessed, and a digest without a key would tell whether the guess is right.
        prefix + secrets.mac('logged conversation', id).slice(0, 12) + suffix,
    );
}
