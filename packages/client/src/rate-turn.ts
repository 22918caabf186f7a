import { defaultPlatform, fillPath } from '@parley/protocol/paths';
import { visitorPatterns } from '@parley/protocol/visitor-paths';
import { type Connection, readObject, requestInTime, type RequestOptions } from './connection.ts';

export type Rating =
  | { turnId: string; rating: 'up' | 'down'; comment?: string }
  | { turnId: string; rating: null };

/** Says whether a turn was of help; `null` takes it back. */
export async function rateTurn(
  connection: Connection,
  sessionId: string,
  rating: Rating,
  options?: RequestOptions,
): Promise<void> {
  const { feedback } = visitorPatterns(connection.platform ?? defaultPlatform);
  await requestInTime(connection, fillPath(feedback, sessionId), { body: rating, ...options }, (response) =>
    readObject(response, options?.signal),
  );
}
