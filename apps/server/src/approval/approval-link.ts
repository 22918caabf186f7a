import { z } from 'zod';
import type { Secrets } from '../crypto/secrets.ts';

/** However long an approval waits, a link to it is good for a week. */
export const approvalLinkMs = 7 * 86_400_000;

const purpose = 'approval link';
const maxTokenLength = 2_000;

const linkSchema = z.tuple([
  z.string(),
  z.string(),
  z.string(),
  z.string(),
  z.string().nullable(),
  z.number(),
]);

/** What a link is for: these arguments of this call, and one mailbox. */
export interface ApprovalLink {
  readonly sessionId: string;
  readonly requestId: string;
  /** Of the call: another one once its tool or its arguments are others. */
  readonly fingerprint: string;
  readonly address: string;
  /** Whose mailbox it is, or null. */
  readonly memberId: string | null;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

/**
 * The link as it stands in an address: nothing of it is stored. Encrypted, since the id of a session is the right to read it
 * with a key that every visitor has, and mails are forwarded and kept.
 */
export function approvalToken(secrets: Pick<Secrets, 'encrypt'>, link: ApprovalLink): string {
  const { sessionId, requestId, fingerprint, address, memberId, expiresAt } = link;
  const content: z.infer<typeof linkSchema> = [
    sessionId,
    requestId,
    fingerprint,
    address,
    memberId,
    expiresAt,
  ];
  return secrets.encrypt(JSON.stringify(content), purpose);
}

/** Null for what this service has not made. */
export function readApprovalToken(secrets: Pick<Secrets, 'decrypt'>, token: string): ApprovalLink | null {
  if (token.length > maxTokenLength) return null;
  try {
    const content = linkSchema.parse(JSON.parse(secrets.decrypt(token, purpose)));
    const [sessionId, requestId, fingerprint, address, memberId, expiresAt] = content;
    return { sessionId, requestId, fingerprint, address, memberId, expiresAt };
  } catch {
    return null;
  }
}
