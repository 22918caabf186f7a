import { defaultPlatform, fillPath, sessionPatterns } from '@parley/protocol/paths';
import { type Connection, readObject, requestInTime, type RequestOptions } from './connection.ts';
import { ParleyError } from './error.ts';
import type { SessionReference } from './session-input.ts';

/** Has the session and all that is stored of it deleted. One that is gone already counts as deleted. */
export async function deleteSession(
  connection: Connection,
  { sessionId, continuationToken }: SessionReference,
  options?: RequestOptions,
): Promise<void> {
  const { fetch: send = fetch, platform = defaultPlatform } = connection;
  const deleting: Connection = {
    ...connection,
    fetch: (input, init) => send(input, { ...init, method: 'DELETE' }),
  };
  const path = fillPath(sessionPatterns(platform).session, sessionId);
  try {
    await requestInTime(deleting, path, { body: { continuationToken }, ...options }, (response) =>
      readObject(response, options?.signal),
    );
  } catch (error) {
    if (error instanceof ParleyError && error.code === 'SESSION_NOT_FOUND') return;
    throw error;
  }
}
