import type { TranscriptFormat } from '@parley/protocol/session-queries';
import type { Response } from 'express';
import { exportEvents } from '../../events/export-events.ts';
import type { Audience } from '../../events/redact-event.ts';
import { transcriptText } from '../../session/transcript-text.ts';
import type { SessionRecord } from '../../store/session-store.ts';
import type { Store } from '../../store/store.ts';
import { sendPieces } from '../connection/send-pieces.ts';

const files: Record<TranscriptFormat, { extension: string; contentType: string }> = {
  text: { extension: 'txt', contentType: 'text/plain; charset=utf-8' },
  json: { extension: 'json', contentType: 'application/json; charset=utf-8' },
  ndjson: { extension: 'ndjson', contentType: 'application/x-ndjson; charset=utf-8' },
};

export interface TranscriptDeps {
  readonly store: Store;
  readonly fileUrl: (id: string) => string;
}

interface TranscriptRequest {
  readonly session: SessionRecord;
  readonly agentName: string;
  readonly format: TranscriptFormat;
  readonly audience: Audience;
  /** Of the request, which may ask for the headers alone. */
  readonly method: string;
}

/** Answers with the conversation as it is now, as a file, never holding more than a page of it. */
export async function sendTranscript(
  { store, fileUrl }: TranscriptDeps,
  response: Response,
  { session, agentName, format, audience, method }: TranscriptRequest,
): Promise<void> {
  const { extension, contentType } = files[format];
  const day = new Date(session.createdAt).toISOString().slice(0, 10);
  response.setHeader('content-type', contentType);
  // Not named after the session: whoever is given the file could use its id.
  response.setHeader('content-disposition', `attachment; filename="conversation-${day}.${extension}"`);
  if (method === 'HEAD') return void response.end();
  const events = exportEvents(store, session, { audience, fileUrl });
  const texts = {
    text: () => transcriptText(events, { agentName, createdAt: session.createdAt }),
    json: () => json(events, session, agentName),
    ndjson: () => ndjson(events),
  };
  await sendPieces(response, texts[format]());
}

type Events = ReturnType<typeof exportEvents>;

async function* ndjson(events: Events): AsyncIterable<string> {
  for await (const event of events) yield `${JSON.stringify(event)}\n`;
}

async function* json(
  events: Events,
  { status, createdAt }: SessionRecord,
  agentName: string,
): AsyncIterable<string> {
  const head = { agentName, status, createdAt: new Date(createdAt).toISOString() };
  yield `${JSON.stringify(head).slice(0, -1)},"events":[`;
  let separator = '\n';
  for await (const event of events) {
    yield separator + JSON.stringify(event);
    separator = ',\n';
  }
  yield '\n]}\n';
}
