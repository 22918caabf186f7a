import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sessionPatterns } from '@parley/protocol/paths';
import { visitorPatterns } from '@parley/protocol/visitor-paths';
import { parseToken, parseTranscriptQuery, type TranscriptFormat } from '@parley/protocol/session';
import { Router } from 'express';
import { type Audience } from '../session/event-line.ts';
import { exportedEvents } from '../session/exported-events.ts';
import { transcriptText } from '../session/transcript-text.ts';
import type { SessionRecord } from '../store/store.ts';
import { smallBounds } from './body-bounds.ts';
import { readJsonBody } from './body.ts';
import { admitCaller, askerOf } from './caller.ts';
import { sessionOfBoth } from './own-session.ts';
import { parsedOrThrow } from './parse.ts';
import { sessionNotFound } from './refusal.ts';
import type { SessionRoutesDeps } from './sessions.ts';

const pieceLength = 32 * 1024;

/** A reader who goes away before the end is no failure. */
async function delivered(sending: Promise<void>): Promise<void> {
  try {
    await sending;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'))
      throw error;
  }
}

/** Large enough to be worth a write, and all that waits for a reader besides its page of the log. */
async function* inPieces(texts: AsyncIterable<string>): AsyncIterable<string> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

const files: Record<TranscriptFormat, { extension: string; contentType: string }> = {
  text: { extension: 'txt', contentType: 'text/plain; charset=utf-8' },
  json: { extension: 'json', contentType: 'application/json; charset=utf-8' },
  ndjson: { extension: 'ndjson', contentType: 'application/x-ndjson; charset=utf-8' },
};

/** The visitor's rights: take the conversation along, and have it deleted. */
export function transcriptRoutes(deps: SessionRoutesDeps): Router {
  const { platform, sessions, store, streams, openStreams } = deps;
  const paths = { ...sessionPatterns(platform), ...visitorPatterns(platform) };
  const writers = { text, json, ndjson };
  const router = Router({ caseSensitive: true, strict: true });

  router.get(paths.transcript, async (request, response) => {
    const caller = await admitCaller(deps, request, response);
    const format = parsedOrThrow(parseTranscriptQuery(new URL(request.url, 'http://localhost').searchParams));
    const session = await sessions.find(String(request.params['id']), askerOf(caller));
    if (!session) throw sessionNotFound();
    openStreams.admit(response, caller, session.id);
    const { extension, contentType } = files[format];
    const day = new Date(session.createdAt).toISOString().slice(0, 10);
    response.setHeader('content-type', contentType);
    // Not named after the session: whoever is given the file could use its id.
    response.setHeader('content-disposition', `attachment; filename="conversation-${day}.${extension}"`);
    const audience = caller.key.kind === 'secret' ? 'full' : 'status';
    const { name } = caller.agent;
    if (request.method === 'HEAD') return void response.end();
    const texts = writers[format](session, name, audience);
    await delivered(pipeline(Readable.from(inPieces(texts), { highWaterMark: 1 }), response));
  });

  router.delete(paths.session, async (request, response) => {
    const caller = await admitCaller(deps, request, response);
    const body = await readJsonBody(request, { bounds: smallBounds, contentType: 'any' });
    const { continuationToken: token } = parsedOrThrow(parseToken(body));
    const session = await sessionOfBoth(deps, { id: String(request.params['id']), token }, caller);
    const removed = await sessions.remove(session.id);
    streams.endSession(session.id);
    if (!removed) throw sessionNotFound();
    response.json({ ok: true, sessionId: session.id, status: 'deleted' });
  });

  return router;

  function text(session: SessionRecord, agentName: string, audience: Audience): AsyncIterable<string> {
    const events = exportedEvents(store, session, audience);
    return transcriptText(events, { agentName, createdAt: session.createdAt });
  }

  async function* ndjson(
    session: SessionRecord,
    _agentName: string,
    audience: Audience,
  ): AsyncIterable<string> {
    for await (const event of exportedEvents(store, session, audience)) yield `${JSON.stringify(event)}\n`;
  }

  async function* json(session: SessionRecord, agentName: string, audience: Audience): AsyncIterable<string> {
    const { status, createdAt } = session;
    const head = { agentName, status, createdAt: new Date(createdAt).toISOString() };
    yield `${JSON.stringify(head).slice(0, -1)},"events":[`;
    let separator = '\n';
    for await (const event of exportedEvents(store, session, audience)) {
      yield separator + JSON.stringify(event);
      separator = ',\n';
    }
    yield '\n]}\n';
  }
}
