import type { InputResponse } from '@parley/protocol/ask';
import { defaultPlatform, fillPath, sessionPatterns } from '@parley/protocol/paths';
import type { ActionResult, ClientTool as ClientToolDeclaration } from '@parley/protocol/client-tool';
import type { CancelAnswer, ControlAnswer, ResetAnswer } from '@parley/protocol/session';
import {
  type Connection,
  readObject,
  request,
  requestOnce,
  type RequestOptions,
  type SendOptions,
} from './connection.ts';
import { unexpectedAnswer } from './error.ts';
import { type FollowOptions, followSession } from './follow.ts';

/** What it takes to read a session and to write to it. Plain JSON: keep it over reloads, and keep it secret. */
export type SessionReference = { sessionId: string; continuationToken: string };

export type MessageInputPart =
  | { type: 'text'; text: string }
  /** `data` is base64, a `data:` URL or a URL. */
  | { type: 'file'; mediaType: string; data: string; filename?: string };

export type TurnOptions = {
  /** What the model is told besides the message, such as the page the visitor is on. */
  clientContext?: string | readonly string[] | Record<string, unknown>;
  /** JSON Schema of a structured result. */
  outputSchema?: Record<string, unknown>;
  /** Functions of the page that the agent may call from now on, instead of those named before. */
  clientTools?: readonly ClientToolDeclaration[];
};

export type MessageInput = string | ({ message: string | readonly MessageInputPart[] } & TurnOptions);

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
  const patterns = sessionPatterns(connection.platform ?? defaultPlatform);
  const control = async <Status>(path: string, body: unknown, options: RequestOptions | undefined) => {
    const response = await request(connection, path, { body, ...options });
    return (await readObject(response, options?.signal)).status as Status;
  };
  const answer = async (
    session: SessionReference,
    input: Partial<ResponseInput>,
    options: SendOptions | undefined,
  ) => {
    const { continuationToken } = session;
    const body = { continuationToken, ...input };
    await requestOnce(
      connection,
      fillPath(patterns.session, session.sessionId),
      { body, ...options },
      (response) => readObject(response, options?.signal),
    );
  };

  return {
    /** Begins a session with its first message. */
    async start(input: MessageInput, options?: SendOptions): Promise<SessionReference> {
      const read = async (response: Response) => {
        const { sessionId, continuationToken } = await readObject(response, options?.signal);
        if (typeof sessionId !== 'string' || typeof continuationToken !== 'string') throw unexpectedAnswer();
        return { sessionId, continuationToken };
      };
      return requestOnce(connection, patterns.sessions, { body: toBody(input), ...options }, read);
    },

    /** The session's events, over any number of connections: see `followSession`. */
    follow: (sessionId: string, options?: FollowOptions) => followSession(connection, sessionId, options),

    /** Resolves once the message is safe in the session's queue, also while a turn runs. */
    send: (session: SessionReference, input: MessageInput, options?: SendOptions): Promise<void> =>
      answer(session, toBody(input), options),

    /** Answers what the agent asked. Resolves as `send` does. */
    respond: (session: SessionReference, input: ResponseInput, options?: SendOptions): Promise<void> =>
      answer(session, input, options),

    /** Stops the running turn, or only the one named. */
    cancel: (sessionId: string, { turnId, ...options }: RequestOptions & { turnId?: string } = {}) =>
      control<CancelAnswer['status']>(fillPath(patterns.cancel, sessionId), { turnId }, options),

    /** Makes the agent forget the conversation; the session goes on. */
    clear: ({ continuationToken }: SessionReference, options?: RequestOptions) =>
      control<ControlAnswer['status']>(patterns.clear, { continuationToken }, options),

    /** Has the conversation so far summarised for the agent. */
    compact: ({ continuationToken }: SessionReference, options?: RequestOptions) =>
      control<ControlAnswer['status']>(patterns.compact, { continuationToken }, options),

    /** Gives the session up at once; its token is dead afterwards. */
    reset: ({ continuationToken }: SessionReference, options?: RequestOptions) =>
      control<ResetAnswer['status']>(patterns.reset, { continuationToken }, options),

    /** Completes the session: its readers see `session.completed`. */
    async end({ sessionId, continuationToken }: SessionReference, options?: RequestOptions): Promise<void> {
      await control(fillPath(patterns.end, sessionId), { continuationToken }, options);
    },
  };
}

const toBody = (input: MessageInput) => (typeof input === 'string' ? { message: input } : input);
