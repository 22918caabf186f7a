import type { IncomingMessage } from 'node:http';
import { maxInlineFileBytes } from '@parley/protocol/bounds';
import type { Request } from 'express';
import { addressNetwork } from '../../limit/address.ts';
import type { BodyBounds } from '@parley/protocol/body-bounds';
import { BodyScanner } from './body-scanner.ts';
import { FileBudget } from './file-budget.ts';
import { ProblemError } from '../problem.ts';

interface BodyRules {
  readonly bounds: BodyBounds;
  /** `json` refuses other content types with 415; `any` reads JSON whatever it is called. */
  readonly contentType: 'json' | 'any';
  /** Nothing or white space is fine, and reads as undefined. */
  readonly optional?: boolean;
}

/**
 * The parsed JSON body, with an `InlineFile` where the content of a file stood. Refuses compression, other content
 * types, broken UTF-8, bad JSON, and what is over a bound as soon as it is.
 */
export async function readJsonBody(
  request: Pick<Request, 'res' | 'ip'> & IncomingMessage,
  { bounds, contentType, optional = false }: BodyRules,
): Promise<unknown> {
  const { headers } = request;
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity')
    throw new ProblemError('UNSUPPORTED_MEDIA_TYPE', 'A compressed body is not accepted.');
  if (contentType === 'json' && !isJson(headers['content-type']))
    throw new ProblemError('UNSUPPORTED_MEDIA_TYPE', 'Expected Content-Type: application/json.');
  const most = bounds.jsonBytes + bounds.messagesBytes + (bounds.message ? maxInlineFileBytes : 0);
  if (Number(headers['content-length']) > most)
    throw new ProblemError('TOO_LARGE', `A body has at most ${most} bytes here, its files included.`);
  const scanner = new BodyScanner(bounds);
  const budget = new FileBudget(request, addressNetwork(request.ip ?? ''));
  // The bytes are stored, or dropped, by the time the request is answered.
  request.res?.once('close', () => budget.release());
  await receive(request, (chunk) => {
    scanner.push(chunk);
    if (!budget.grow(scanner.fileBytes))
      throw new ProblemError('UNAVAILABLE', 'The service takes in too many files at the moment.', {
        retryAfter: 1,
      });
  });
  return optional && scanner.isEmpty ? undefined : scanner.end();
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i.test(contentType ?? '');
}

/** How long a body is read before everybody else has a turn: one round of the event loop may bring megabytes. */
const sliceMs = 10;

/** Hands over the body as it comes in. What `take` throws ends it, and the rest is left unread. */
function receive(request: IncomingMessage, take: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let spentMs = 0;
    let over = false;
    const finish = (settle: () => void) => {
      over = true;
      request.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
      settle();
    };
    const onData = (chunk: Buffer) => {
      const begunAt = performance.now();
      try {
        take(chunk);
        spentMs += performance.now() - begunAt;
        if (spentMs < sliceMs) return;
        spentMs = 0;
        request.pause();
        setImmediate(() => over || request.resume());
      } catch (error) {
        request.pause();
        finish(() => reject(error));
      }
    };
    const onEnd = () => finish(resolve);
    const onGone = () =>
      finish(() => reject(new ProblemError('BAD_REQUEST', 'The body was not sent completely.')));
    request.on('data', onData).once('end', onEnd).once('close', onGone).once('error', onGone);
    if (request.destroyed) onGone();
  });
}
