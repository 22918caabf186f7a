import { defaultPlatform, fillPath } from '@parley/protocol/paths';
import type { TransferResponse } from '@parley/protocol/session-responses';
import { visitorPatterns } from '@parley/protocol/visitor-paths';
import { type Connection, readObject, requestInTime, type RequestOptions } from './connection.ts';
import { unexpectedAnswer } from './error.ts';
import type { SessionReference } from './session-input.ts';

const pathOf = ({ platform = defaultPlatform }: Connection, sessionId: string) =>
  fillPath(visitorPatterns(platform).transfer, sessionId);

/** What another browser claims this session with, once and within five minutes, in place of what was made before. */
export async function createTransfer(
  connection: Connection,
  { sessionId, continuationToken }: SessionReference,
  options: RequestOptions = {},
): Promise<Pick<TransferResponse, 'token' | 'expiresAt'>> {
  const read = (response: Response) => readObject(response, options.signal);
  const body = { continuationToken };
  const made = await requestInTime(connection, pathOf(connection, sessionId), { body, ...options }, read);
  const { token, expiresAt } = made;
  if (typeof token !== 'string' || typeof expiresAt !== 'string') throw unexpectedAnswer();
  return { token, expiresAt };
}

/** Nobody can claim what was made; also while the page is being left. */
export async function revokeTransfer(
  connection: Connection,
  { sessionId, continuationToken }: SessionReference,
): Promise<void> {
  const { fetch: send = fetch } = connection;
  const revoking: Connection = {
    ...connection,
    fetch: (input, init) => send(input, { ...init, method: 'DELETE', keepalive: true }),
  };
  await requestInTime(revoking, pathOf(connection, sessionId), { body: { continuationToken } }, () => {});
}

/** The session that another browser has handed over. */
export async function claimTransfer(
  connection: Connection,
  token: string,
  options: RequestOptions = {},
): Promise<SessionReference> {
  const { claim } = visitorPatterns(connection.platform ?? defaultPlatform);
  const read = (response: Response) => readObject(response, options.signal);
  const { sessionId, continuationToken } = await requestInTime(
    connection,
    claim,
    { body: { token }, ...options },
    read,
  );
  if (typeof sessionId !== 'string' || typeof continuationToken !== 'string') throw unexpectedAnswer();
  return { sessionId, continuationToken };
}
