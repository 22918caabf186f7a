import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { TranscriptFormat } from '@parley/protocol/session-queries';
import { type Audience } from '../../events/redact-event.ts';
import { exportEvents } from '../../events/export-events.ts';
import { transcriptText } from '../../session/transcript-text.ts';
import type { SessionRecord } from '../../store/session-store.ts';
import { sessionAccess } from '../../auth/session-access.ts';
import type { Handler, Handlers } from '../handlers.ts';
import { sessionOfBoth } from './find-session.ts';
import { sessionNotFound } from '../rejection-problem.ts';
import type { SessionHandlersDeps } from './sessions.ts';

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
export function transcriptHandlers(deps: SessionHandlersDeps): Handlers<'readTranscript' | 'deleteSession'> {
  const { sessions, store, streams, openStreams, fileUrl } = deps;
  const writers = { text, json, ndjson };

  const readTranscript: Handler<'readTranscript'> = async ({
    request,
    response,
    principal,
    id,
    query: { format },
  }) => {
    const session = await sessions.find(id, sessionAccess(principal));
    if (!session) throw sessionNotFound();
    openStreams.admit(response, principal, session.id);
    const { extension, contentType } = files[format];
    const day = new Date(session.createdAt).toISOString().slice(0, 10);
    response.setHeader('content-type', contentType);
    // Not named after the session: whoever is given the file could use its id.
    response.setHeader('content-disposition', `attachment; filename="conversation-${day}.${extension}"`);
    const audience = principal.kind === 'secret-key' ? 'full' : 'status';
    const { name } = principal.agent;
    if (request.method === 'HEAD') return void response.end();
    const texts = writers[format](session, name, audience);
    await delivered(pipeline(Readable.from(inPieces(texts), { highWaterMark: 1 }), response));
  };

  const deleteSession: Handler<'deleteSession'> = async ({ response, principal, id, body }) => {
    const session = await sessionOfBoth(deps, { id, token: body.continuationToken }, principal);
    const removed = await sessions.remove(session.id);
    streams.endSession(session.id);
    if (!removed) throw sessionNotFound();
    response.json({ ok: true, sessionId: session.id, status: 'deleted' });
  };

  return { readTranscript, deleteSession };

  function text(session: SessionRecord, agentName: string, audience: Audience): AsyncIterable<string> {
    const events = exportEvents(store, session, { audience, fileUrl });
    return transcriptText(events, { agentName, createdAt: session.createdAt });
  }

  async function* ndjson(
    session: SessionRecord,
    _agentName: string,
    audience: Audience,
  ): AsyncIterable<string> {
    for await (const event of exportEvents(store, session, { audience, fileUrl }))
      yield `${JSON.stringify(event)}\n`;
  }

  async function* json(session: SessionRecord, agentName: string, audience: Audience): AsyncIterable<string> {
    const { status, createdAt } = session;
    const head = { agentName, status, createdAt: new Date(createdAt).toISOString() };
    yield `${JSON.stringify(head).slice(0, -1)},"events":[`;
    let separator = '\n';
    for await (const event of exportEvents(store, session, { audience, fileUrl })) {
      yield separator + JSON.stringify(event);
      separator = ',\n';
    }
    yield '\n]}\n';
  }
}
