import { defaultPlatform, fillPath } from '@parley/protocol/paths';
import { visitorPatterns } from '@parley/protocol/visitor-paths';
import type { TranscriptFormat } from '@parley/protocol/session-queries';
import { type Connection, request, type RequestOptions } from './connection.ts';
import { transportError } from './error.ts';
import { rejectPage } from './reject-page.ts';

/** The conversation as it is now, as a file. */
export async function downloadTranscript(
  connection: Connection,
  sessionId: string,
  { format = 'text', ...options }: RequestOptions & { format?: TranscriptFormat } = {},
): Promise<{ name: string; content: Blob }> {
  const { transcript } = visitorPatterns(connection.platform ?? defaultPlatform);
  const response = await request(connection, `${fillPath(transcript, sessionId)}?format=${format}`, options);
  const content = await rejectPage(response)
    .blob()
    .catch((cause: unknown) => {
      throw transportError(cause, options.signal);
    });
  const extension = format === 'text' ? 'txt' : format;
  return { name: `conversation-${new Date().toISOString().slice(0, 10)}.${extension}`, content };
}
