import { defaultPlatform, sessionPatterns } from '@parley/protocol/paths';
import type { SessionList } from '@parley/protocol/session-responses';
import { type Connection, readObject, requestInTime, type RequestOptions } from './connection.ts';
import { unexpectedAnswer } from './error.ts';

export type ListOptions = RequestOptions & {
  /** The `next` of the page before. */
  cursor?: string;
  /** How many, at most 100; 20 if absent. */
  limit?: number;
};

/** The sessions of the visitor whom the connection's requests name (`withVisitorToken`), newest first. */
export async function listSessions(
  connection: Connection,
  { cursor, limit, ...options }: ListOptions = {},
): Promise<SessionList> {
  const query = new URLSearchParams({
    ...(cursor !== undefined && { cursor }),
    ...(limit !== undefined && { limit: String(limit) }),
  });
  const { sessions } = sessionPatterns(connection.platform ?? defaultPlatform);
  const page = await requestInTime(connection, `${sessions}?${query}`, options, (response) =>
    readObject(response, options.signal),
  );
  if (!Array.isArray(page['items'])) throw unexpectedAnswer();
  return page as SessionList;
}
