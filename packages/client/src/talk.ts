import type { CancelResponse } from '@parley/protocol/session-responses';
import { defaultPlatform, fillPath, sessionPatterns } from '@parley/protocol/paths';
import { sessionHeaders } from '@parley/protocol/session-headers';
import {
  type Connection,
  post,
  readObject,
  requestOnce,
  type RequestOptions,
  type SendOptions,
} from './connection.ts';
import { transportError, unexpectedAnswer } from './error.ts';
import { cancelStream, type OpenStream, requestStream, streamBody } from './open-stream.ts';
import type { MessageInput, ResponseInput, SessionReference } from './session.ts';

type StartedSession = { session: SessionReference; stream: OpenStream | null };

export type Talk = ReturnType<typeof createTalk>;

/** The part of `createSessions` that writes to a conversation; `followSession` reads it. */
export function createTalk(connection: Connection) {
  const { platform = defaultPlatform } = connection;
  const patterns = sessionPatterns(platform);
  const headers = sessionHeaders(platform);
  const answer = async (
    session: SessionReference,
    input: Partial<ResponseInput>,
    options: SendOptions | undefined,
  ) => {
    const path = fillPath(patterns.session, session.sessionId);
    await requestOnce(connection, path, { body: followUpBody(session, input), ...options }, (response) =>
      readObject(response, options?.signal),
    );
  };

  return {
    /**
     * Begins a session with its first message, and reads it over the same request: hand `stream` to `followSession`, or
     * cancel it. Null where the service, or something before it, does not answer with the stream.
     */
    startStream(input: MessageInput, options?: SendOptions): Promise<StartedSession> {
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
      const body = messageBody(input);
      return requestStream(connection, `${patterns.sessions}?soFar=0`, { body, ...options }, read);
    },

    /** Resolves once the message is safe in the session's queue, also while a turn runs. */
    send: (session: SessionReference, input: MessageInput, options?: SendOptions): Promise<void> =>
      answer(session, messageBody(input), options),

    /** Answers what the agent asked. Resolves as `send` does. */
    respond: (session: SessionReference, input: ResponseInput, options?: SendOptions): Promise<void> =>
      answer(session, input, options),

    /** Stops the running turn, or only the one named. */
    cancel: (sessionId: string, { turnId, ...options }: RequestOptions & { turnId?: string } = {}) =>
      control<CancelResponse['status']>(
        connection,
        fillPath(patterns.cancel, sessionId),
        { turnId },
        options,
      ),
  };
}

/** A POST that is told what came of it. */
export async function control<Status>(
  connection: Connection,
  path: string,
  body: unknown,
  options: RequestOptions | undefined,
): Promise<Status> {
  const { status } = await post(connection, path, { body, ...options }, (response) =>
    readObject(response, options?.signal),
  );
  return status as Status;
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
