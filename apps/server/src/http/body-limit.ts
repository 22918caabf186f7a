import type { Request } from 'express';
import type { UserPart } from '@parley/protocol/user-message';
import { refuseDeepNesting } from './body.ts';
import { ProblemError } from './problem.ts';

const mebibyte = 1024 * 1024;
/** A body with file parts; base64 makes 10 MiB of files 13.4. */
export const bodyLimitWithFiles = 16 * mebibyte;
const bodyLimit = mebibyte;

/** Large bodies are for files. */
export function enforceBodyLimit(request: Request, body: unknown, parts: readonly UserPart[]): void {
  if (parts.some((part) => part.type === 'file' && 'base64' in part.data)) return;
  refuseDeepNesting(body);
  const declared = Number(request.headers['content-length']);
  const size = Number.isFinite(declared) ? declared : Buffer.byteLength(JSON.stringify(body));
  if (size > bodyLimit) throw new ProblemError('TOO_LARGE', `The body is larger than ${bodyLimit} bytes.`);
}
