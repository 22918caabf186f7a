import type { Secrets } from '../crypto/secrets.ts';

const purpose = 'continuation';
/** Tokens that are kept: each is wanted when its session begins and again when its turn ends. */
const maxKept = 1_000;

/** The continuation token of a session: its id, signed. It never changes and is stored nowhere. */
export interface SessionTokens {
  of(sessionId: string): string;
  /** The session a token was made for, or null when it is not one of ours. */
  sessionId(token: string): string | null;
}

export function createSessionTokens(
  platform: string,
  secrets: Pick<Secrets, 'mac' | 'verify'>,
): SessionTokens {
  const kept = new Map<string, string>();
  return {
    of(sessionId) {
      const known = kept.get(sessionId);
      if (known !== undefined) return known;
      const token = `${platform}:${sessionId}.${secrets.mac(purpose, sessionId)}`;
      kept.set(sessionId, token);
      for (const oldest of kept.keys()) {
        if (kept.size <= maxKept) break;
        kept.delete(oldest);
      }
      return token;
    },
    sessionId(token) {
      const match = /^[a-z0-9-]+:(ses_[0-9a-f]{32})\.([\w-]+)$/.exec(token);
      const [, sessionId, mac] = match ?? [];
      if (!sessionId || !mac || !secrets.verify(purpose, sessionId, mac)) return null;
      return sessionId;
    },
  };
}
