import { defaultPlatform, fillPath, sessionPatterns } from '@parley/protocol/paths';
import { startHeaders } from '@parley/protocol/session-headers';
import { type Connection, readObject, requestOnce, type SendOptions } from './connection.ts';
import { transportError, unexpectedAnswer } from './error.ts';
import { cancelStream, type OpenStream, requestStream, streamBody } from './open-stream.ts';
import type { MessageInput, ResponseInput, SessionReference } from './session-input.ts';

type StartedSession = { session: SessionReference; stream: OpenStream | null };

/**
 * Begins a session with its first message, and reads it over the same request: hand `stream` to `followSession`, or
 * cancel it. Null where the service, or something before it, does not answer with the stream.
 */
export function startStream(
  connection: Connection,
  input: MessageInput,
  options?: SendOptions,
): Promise<StartedSession> {
  const { platform = defaultPlatform } = connection;
  const headers = startHeaders(platform);
  const read = async (response: Response) => {
    const body = streamBody(response);
    if (!body) return { session: await readReference(response, options?.signal), stream: null };
    const sessionId = response.headers.get(headers.sessionId);
    const continuationToken = response.headers.get(headers.continuationToken);
    const stream = { startIndex: 0, body };
    if (sessionId && continuationToken) return { session: { sessionId, continuationToken }, stream };
    // Something on the way has dropped the headers. A repeat is told the same in JSON.
    cancelStream(stream);
    throw transportError(undefined);
  };
  const path = `${sessionPatterns(platform).sessions}?soFar=0`;
  return requestStream(connection, path, { body: messageBody(input), ...options }, read);
}

/** Sends a message, or answers what the agent asked. Resolves once that is safe in the session's queue. */
export async function sendInput(
  connection: Connection,
  session: SessionReference,
  input: MessageInput | ResponseInput,
  options?: SendOptions,
): Promise<void> {
  const { session: pattern } = sessionPatterns(connection.platform ?? defaultPlatform);
  const body = followUpBody(session, messageBody(input));
  await requestOnce(connection, fillPath(pattern, session.sessionId), { body, ...options }, (response) =>
    readObject(response, options?.signal),
  );
}

/** What a session was begun with. */
export async function readReference(response: Response, signal?: AbortSignal): Promise<SessionReference> {
  const { sessionId, continuationToken } = await readObject(response, signal);
  if (typeof sessionId !== 'string' || typeof continuationToken !== 'string') throw unexpectedAnswer();
  return { sessionId, continuationToken };
}

export const messageBody = <Input extends object>(input: Input | string) =>
  typeof input === 'string' ? { message: input } : input;

export const followUpBody = ({ continuationToken }: SessionReference, input: Partial<ResponseInput>) => ({
  continuationToken,
  ...input,
});
