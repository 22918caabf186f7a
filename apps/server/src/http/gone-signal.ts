import type { Response } from 'express';

/** Aborted when nobody waits for the answer any more. */
export function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}
