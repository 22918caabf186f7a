import { cancelTurn } from './cancel-turn.ts';
import { controlPatterns } from '@parley/protocol/control-paths';
import type { InputResponse } from '@parley/protocol/ask';
import { defaultPlatform, fillPath, sessionPatterns } from '@parley/protocol/paths';
import type { ActionResult, ClientTool as ClientToolDeclaration } from '@parley/protocol/client-tool';
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
import { followUpBody, messageBody, readReference, sendInput, startStream } from './session-client.ts';

/** What it takes to read a session and to write to it. Plain JSON: keep it over reloads, and keep it secret. */
export type SessionReference = { sessionId: string; continuationToken: string };

export type MessageInputPart =
  | { type: 'text'; text: string }
  /** What `uploadFile` has stored. */
  | { type: 'file'; fileId: string }
  /** `data` is base64, a `data:` URL or a URL. */
  | { type: 'file'; mediaType: string; data: string; filename?: string };

export type TurnOptions = {
  /** What you call the message, in 16 to 64 characters: it comes back in `message.received`. */
  clientMessageId?: string;
  /** What the model is told besides the message, such as the page the visitor is on. */
  clientContext?: string | readonly string[] | Record<string, unknown>;
  /** JSON Schema of a structured result. */
  outputSchema?: Record<string, unknown>;
  /** Functions of the page that the agent may call from now on, instead of those named before. */
  clientTools?: readonly ClientToolDeclaration[];
};

/** `shownIndex`: the transcript's `nextIndex` when it was written. What was asked later it does not answer. */
export type MessageInput =
  | string
  | ({ message: string | readonly MessageInputPart[]; shownIndex?: number } & TurnOptions);

/** Answers to approvals and questions, alone or along with a message. */
export type ResponseInput = TurnOptions & {
  inputResponses?: readonly InputResponse[];
  /** What came of the calls of `clientTools`. */
  actionResults?: readonly ActionResult[];
  message?: string | readonly MessageInputPart[];
};

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
