import { cancelTurn } from './cancel-turn.ts';
import { controlPatterns } from '@parley/protocol/control-paths';
import { defaultPlatform, fillPath, sessionPatterns } from '@parley/protocol/paths';
import type { ControlResponse, ResetResponse } from '@parley/protocol/session-responses';
import {
  type Connection,
  readObject,
  requestOnce,
  type RequestOptions,
  type SendOptions,
} from './connection.ts';
import { control } from './control.ts';
import { type FollowOptions, followSession } from './follow.ts';
import { type OpenStream, requestStream, streamBody } from './open-stream.ts';
import type { MessageInput, ResponseInput, SessionReference } from './session-input.ts';
import { followUpBody, messageBody, readReference, sendInput, startStream } from './session-client.ts';

export type Sessions = ReturnType<typeof createSessions>;

/**
 * The Sessions interface. A message, an answer and a start are sent exactly once however often the network fails
 * underneath; every call rejects with a `ParleyError` and nothing else.
 */
export function createSessions(connection: Connection) {
  const { platform = defaultPlatform } = connection;
  const patterns = { ...controlPatterns(platform), ...sessionPatterns(platform) };
  return {
    /** Begins a session with its first message, and reads it over the same request: see `startStream`. */
    startStream: (input: MessageInput, options?: SendOptions) => startStream(connection, input, options),

    /** Resolves once the message is safe in the session's queue, also while a turn runs. */
    send: (session: SessionReference, input: MessageInput, options?: SendOptions): Promise<void> =>
      sendInput(connection, session, input, options),

    /** Answers what the agent asked. Resolves as `send` does. */
    respond: (session: SessionReference, input: ResponseInput, options?: SendOptions): Promise<void> =>
      sendInput(connection, session, input, options),

    /** Stops the running turn, or only the one named. */
    cancel: (sessionId: string, options?: RequestOptions & { turnId?: string }) =>
      cancelTurn(connection, sessionId, options),

    /** Begins a session with its first message. */
    start: (input: MessageInput, options?: SendOptions): Promise<SessionReference> =>
      requestOnce(connection, patterns.sessions, { body: messageBody(input), ...options }, (response) =>
        readReference(response, options?.signal),
      ),

    /**
     * As `send` or `respond`, and reads the session from `startIndex` on, usually a transcript's `nextIndex`, over the same
     * request: hand the stream to `follow`, or cancel it. Null where it is not answered with one; `follow` then opens it.
     */
    sendStream(
      session: SessionReference,
      input: MessageInput | ResponseInput,
      { startIndex, ...options }: SendOptions & { startIndex: number },
    ): Promise<OpenStream | null> {
      const path = fillPath(patterns.session, session.sessionId);
      const body = followUpBody(session, messageBody(input));
      const read = async (response: Response) => {
        const stream = streamBody(response);
        if (!stream) await readObject(response, options.signal);
        return stream && { startIndex, body: stream };
      };
      return requestStream(
        connection,
        `${path}?startIndex=${startIndex}&soFar=0`,
        { body, ...options },
        read,
      );
    },

    /** The session's events, over any number of connections: see `followSession`. */
    follow: (sessionId: string, options?: FollowOptions) => followSession(connection, sessionId, options),

    /** Makes the agent forget the conversation; the session goes on. */
    clear: ({ continuationToken }: SessionReference, options?: RequestOptions) =>
      control<ControlResponse['status']>(connection, patterns.clear, { continuationToken }, options),

    /** Has the conversation so far summarised for the agent. */
    compact: ({ continuationToken }: SessionReference, options?: RequestOptions) =>
      control<ControlResponse['status']>(connection, patterns.compact, { continuationToken }, options),

    /** Gives the session up at once; its token is dead afterwards. */
    reset: ({ continuationToken }: SessionReference, options?: RequestOptions) =>
      control<ResetResponse['status']>(connection, patterns.reset, { continuationToken }, options),

    /** Completes the session: its readers see `session.completed`. */
    async end({ sessionId, continuationToken }: SessionReference, options?: RequestOptions): Promise<void> {
      await control(connection, fillPath(patterns.end, sessionId), { continuationToken }, options);
    },
  };
}
