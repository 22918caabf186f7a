import { dayMs } from '../store/day-ms.ts';
import { createHash } from 'node:crypto';
import type { IdempotencyKey } from '../store/idempotency-store.ts';

/** A POST that may be repeated: who sent it where, under which key, and a digest of what it said. */
export interface Repeatable {
  readonly caller: string;
  readonly route: string;
  readonly key: string;
  readonly request: string;
}

/** Under which the answer is kept for a day. */
export function idempotencyKey(
  { caller, route, key, request }: Repeatable,
  answer: IdempotencyKey['result'],
): IdempotencyKey {
  return {
    scope: digest([caller, route, key]),
    request,
    result: answer,
    ttlMs: dayMs,
  };
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
