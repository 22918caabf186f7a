import { defaultPlatform, fillPath } from '@parley/protocol/paths';
import { visitorPatterns } from '@parley/protocol/visitor-paths';
import { type Connection, readObject, requestInTime, type RequestOptions } from './connection.ts';
import type { SessionReference } from './session-input.ts';

/** Makes a session that was nobody's that of the visitor whom the connection's requests name. */
export async function identifySession(
  connection: Connection,
  { sessionId, continuationToken }: SessionReference,
  options?: RequestOptions,
): Promise<void> {
  const { identify } = visitorPatterns(connection.platform ?? defaultPlatform);
  await requestInTime(
    connection,
    fillPath(identify, sessionId),
    { body: { continuationToken }, ...options },
    (response) => readObject(response, options?.signal),
  );
}
