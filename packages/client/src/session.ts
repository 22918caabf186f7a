import type { InputResponse } from '@parley/protocol/ask';
import {
  type Connection,
  readObject,
  request,
  requestOnce,
  type RequestOptions,
  type SendOptions,
  unexpectedAnswer,
} from './connection.ts';
import { type FollowOptions, followSession } from './follow.ts';

/** What it takes to read a session and to write to it. Plain JSON: keep it over reloads, and keep it secret. */
export type SessionReference = { sessionId: string; continuationToken: string };

export type MessageInputPart =
  | { type: 'text'; text: string }
  /** `data` is base64, a `data:` URL or a URL. */
  | { type: 'file'; mediaType: string; data: string; filename?: string };

export type ClientTool = { name: string; description: string; parameters: Record<string, unknown> };

type TurnOptions = {
  /** What the model is told besides the message, such as the page the visitor is on. */
  clientContext?: string | readonly string[] | Record<string, unknown>;
  /** JSON Schema of a structured result. */
  outputSchema?: Record<string, unknown>;
  /** Tools the page runs itself. */
  clientTools?: readonly ClientTool[];
};

export type MessageInput = string | ({ message: string | readonly MessageInputPart[] } & TurnOptions);

/** Answers to approvals, questions and client-side tools, alone or along with a message. */
export type ResponseInput = TurnOptions & {
  inputResponses?: readonly InputResponse[];
  actionResults?: readonly ({ callId: string } & ({ output: unknown } | { error: string }))[];
  message?: string | readonly MessageInputPart[];
};

export type Sessions = ReturnType<typeof createSessions>;

/**
 * The Sessions interface. A message, an answer and a start are sent exactly once however often the network fails
 * underneath; every call rejects with a `ParleyError` and nothing else.
 */
export function createSessions(connection: Connection) {
  const platform = connection.platform ?? 'parley';
  const root = `/${platform}/v1/session`;
  const pathOf = (sessionId: string) => `${root}/${encodeURIComponent(sessionId)}`;
  const control = async (path: string, body: unknown, options: RequestOptions | undefined) => {
    const response = await request(connection, path, { method: 'POST', body, ...options });
    return (await readObject(response, options?.signal)).status;
  };
  const answer = async (
    session: SessionReference,
    input: ResponseInput,
    options: SendOptions | undefined,
  ) => {
    const { continuationToken } = session;
    const body = { continuationToken, ...input };
    await requestOnce(connection, pathOf(session.sessionId), { body, ...options }, () => {});
  };

  return {
    /** Begins a session with its first message. */
    async start(input: MessageInput, options?: SendOptions): Promise<SessionReference> {
      const read = async (response: Response) => {
        const { continuationToken, ...body } = await readObject(response, options?.signal);
        const sessionId = body.sessionId ?? response.headers.get(`x-${platform}-session-id`);
        if (typeof sessionId !== 'string' || typeof continuationToken !== 'string') throw unexpectedAnswer();
        return { sessionId, continuationToken };
      };
      return requestOnce(connection, root, { body: toBody(input), ...options }, read);
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
      control(`${pathOf(sessionId)}/cancel`, { turnId }, options) as Promise<'accepted' | 'no_active_turn'>,

    /** Makes the agent forget the conversation; the session goes on. */
    clear: ({ continuationToken }: SessionReference, options?: RequestOptions) =>
      control(`${root}/clear`, { continuationToken }, options) as Promise<'accepted' | 'no_active_session'>,

    /** Has the conversation so far summarised for the agent. */
    compact: ({ continuationToken }: SessionReference, options?: RequestOptions) =>
      control(`${root}/compact`, { continuationToken }, options) as Promise<'accepted' | 'no_active_session'>,

    /** Gives the session up at once; its token is dead afterwards. */
    reset: ({ continuationToken }: SessionReference, options?: RequestOptions) =>
      control(`${root}/reset`, { continuationToken }, options) as Promise<'reset' | 'no_active_session'>,

    /** Completes the session: its readers see `session.completed`. */
    async end({ sessionId, continuationToken }: SessionReference, options?: RequestOptions): Promise<void> {
      await request(connection, `${pathOf(sessionId)}/end`, { body: { continuationToken }, ...options });
    },
  };
}

const toBody = (input: MessageInput) => (typeof input === 'string' ? { message: input } : input);
