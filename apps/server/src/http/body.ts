import type { IncomingMessage } from 'node:http';
import { jsonFault } from '@parley/protocol/text';
import { ProblemError } from './problem.ts';

interface BodyRules {
  /** Most bytes that are kept; more is 413. */
  readonly limit: number;
  /** `json` refuses other content types with 415; `any` reads JSON whatever it is called. */
  readonly contentType: 'json' | 'any';
  /** Nothing or white space is fine, and reads as undefined. */
  readonly optional?: boolean;
}

/** A body over its limit is read on, and dropped, this far: a client that is still sending would miss the answer. */
const discardLimit = 32 * 1024 * 1024;

/** The parsed JSON body. Refuses compression, other content types, broken UTF-8, bad JSON and too many bytes. */
export async function readJsonBody(request: IncomingMessage, rules: BodyRules): Promise<unknown> {
  if (request.headers['content-encoding'] !== undefined && request.headers['content-encoding'] !== 'identity')
    throw new ProblemError('UNSUPPORTED_MEDIA_TYPE', 'A compressed body is not accepted.');
  const bytes = await readBytes(request, rules.limit);
  if (rules.optional === true && bytes.every((byte) => byte <= 0x20)) return undefined;
  if (rules.contentType === 'json' && !isJson(request.headers['content-type']))
    throw new ProblemError('UNSUPPORTED_MEDIA_TYPE', 'Expected Content-Type: application/json.');
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new ProblemError('BAD_REQUEST', 'Invalid JSON body.', {
      issues: [{ path: [], message: 'Expected a JSON document in UTF-8.' }],
    });
  }
}

/** For what has to be written as JSON again, fields that nobody knows included. */
export function refuseDeepNesting(body: unknown): void {
  if (jsonFault(body) === 'depth') throw new ProblemError('BAD_REQUEST', 'The body is nested too deeply.');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function isJson(contentType: string | undefined): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i.test(contentType ?? '');
}

async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else chunks.length = 0;
      if (size > limit + discardLimit) throw tooLarge(limit, { connection: 'close' });
    }
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw new ProblemError('BAD_REQUEST', 'The body was not sent completely.');
  }
  if (size > limit) throw tooLarge(limit, {});
  return Buffer.concat(chunks);
}

function tooLarge(limit: number, headers: Record<string, string>): ProblemError {
  return new ProblemError('TOO_LARGE', `The body is larger than ${limit} bytes.`, { headers });
}
