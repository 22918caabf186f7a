import { idempotencyKeyLength } from '@parley/protocol/bounds';
import { idempotencyKeyHeader } from '@parley/protocol/paths';
import type { UserPart } from '@parley/protocol/user-message';
import type { Request } from 'express';
import type { Repeatable } from '../session/repeatable.ts';
import { ProblemError } from './problem.ts';

/** What a repeat must have in common with the first request: its JSON, and the parts of its message with their files' bytes. */
export interface RequestContent {
  readonly json: unknown;
  readonly parts: readonly UserPart[];
}

const { min, max } = idempotencyKeyLength;
const keyPattern = new RegExp(`^[\\x21-\\x7e]{${min},${max}}$`);

/** The request as something that may be sent twice, or null when it carries no `Idempotency-Key`. */
export async function repeatable(
  request: Request,
  caller: string,
  route: string,
  content: RequestContent,
): Promise<Repeatable | null> {
  const key = idempotencyKey(request);
  return key === null ? null : { caller, route, key, request: await requestDigest(content) };
}

/** Null without one. Called before the body is read, it refuses a wrong one before that costs anything. */
export function idempotencyKey(request: Request): string | null {
  const key = request.headers[idempotencyKeyHeader];
  if (key === undefined) return null;
  if (typeof key === 'string' && keyPattern.test(key)) return key;
  throw new ProblemError(
    'BAD_REQUEST',
    `Expected Idempotency-Key to be ${min}-${max} visible ASCII characters.`,
  );
}

/** Files are hashed on the thread pool: a large one would hold the event loop. */
async function requestDigest({ json, parts }: RequestContent): Promise<string> {
  const described = await Promise.all(
    parts.map(async (part) => {
      if (part.type !== 'file' || part.data.kind !== 'bytes') return part;
      return { ...part, data: await sha256(part.data.bytes) };
    }),
  );
  return sha256(Buffer.from(JSON.stringify([json, described])));
}

async function sha256(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('base64url');
}
