import type { CancelAnswer } from '@parley/protocol/session';
import { defaultPlatform, fillPath, sessionPatterns } from '@parley/protocol/paths';
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
import type { MessageInput, ResponseInput, SessionReference } from './session.ts';

export type Talk = ReturnType<typeof createTalk>;

/** The part of `createSessions` that a conversation needs. */
export function createTalk(connection: Connection) {
  const patterns = sessionPatterns(connection.platform ?? defaultPlatform);
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
      control<CancelAnswer['status']>(connection, fillPath(patterns.cancel, sessionId), { turnId }, options),
  };
}

/** A POST that is told what came of it. */
export async function control<Status>(
  connection: Connection,
  path: string,
  body: unknown,
  options: RequestOptions | undefined,
): Promise<Status> {
  const response = await request(connection, path, { body, ...options });
  return (await readObject(response, options?.signal)).status as Status;
}

const toBody = (input: MessageInput) => (typeof input === 'string' ? { message: input } : input);
