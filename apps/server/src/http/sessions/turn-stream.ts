import { negotiateTurn } from '@parley/protocol/negotiate';
import { sessionHeaders } from '@parley/protocol/session-headers';
import type { TurnStreamQuery } from '@parley/protocol/session-queries';
import type { Request, Response } from 'express';
import { rejectExpired } from '../../auth/authenticate-key.ts';
import type { KeyPrincipal } from '../../auth/principal.ts';
import type { OpenStreams } from '../connection/open-streams.ts';
import { ProblemError } from '../problem.ts';
import type { SessionStreams, StreamedSession } from './session-streams.ts';

interface TurnStreamDeps {
  readonly platform: string;
  readonly streams: SessionStreams;
  readonly openStreams: OpenStreams;
}

/**
 * Whether a create or a follow-up is answered with a stream, which is then counted among those that are open. It is not
 * where no further stream may be open and `Accept` takes JSON, too. Throws, before anything is accepted, 401 for a visitor
 * token that has expired and 429 for a limit of open streams.
 */
export function admitTurnStream(
  { openStreams }: TurnStreamDeps,
  request: Request,
  response: Response,
  { principal, sessionId }: { principal: KeyPrincipal; sessionId: string | null },
): boolean {
  const reply = negotiateTurn(request.headers.accept);
  if (reply === 'json') return false;
  rejectExpired(principal);
  try {
    openStreams.admit(response, principal, sessionId);
  } catch (error) {
    if (reply === 'stream-or-json' && error instanceof ProblemError) return false;
    throw error;
  }
  return true;
}

/** Answers with the stream. `first`: the index that the log had reached when the message was accepted. */
export function openTurnStream(
  { platform, streams }: TurnStreamDeps,
  response: Response,
  { key, visitor, visitorUntil }: KeyPrincipal,
  { session, first, query }: { session: StreamedSession; first: number; query: TurnStreamQuery },
): void {
  response.setHeader(sessionHeaders(platform).streamTailIndex, String(first - 1));
  streams.open(response, {
    session,
    key,
    visitor,
    visitorUntil,
    query: { ...query, startIndex: query.startIndex ?? first, includeTailIndex: false },
  });
}
