import type { Request } from 'express';
import type { UserMessage } from '@parley/protocol/user-message';
import { refuseDeepNesting } from './body.ts';
import { ProblemError } from './problem.ts';

const mebibyte = 1024 * 1024;
/** A body with file parts; base64 makes 10 MiB of files 13.4. */
export const bodyLimitWithFiles = 16 * mebibyte;
const bodyLimit = mebibyte;
const decodedLimit = 10 * mebibyte;

/** Large bodies are for files, and the files of one message are bounded together. */
export function enforceFileLimits(request: Request, body: unknown, message: UserMessage | null): void {
  let decoded = 0;
  let files = 0;
  for (const part of message?.parts ?? []) {
    if (part.type !== 'file' || part.data.kind === 'url') continue;
    decoded += part.data.size;
    files += 1;
  }
  if (decoded > decodedLimit) {
    throw new ProblemError('TOO_LARGE', `The files of a message may have ${decodedLimit} bytes together.`);
  }
  if (files > 0) return;
  refuseDeepNesting(body);
  const declared = Number(request.headers['content-length']);
  const size = Number.isFinite(declared) ? declared : Buffer.byteLength(JSON.stringify(body));
  if (size > bodyLimit) throw new ProblemError('TOO_LARGE', `The body is larger than ${bodyLimit} bytes.`);
}
