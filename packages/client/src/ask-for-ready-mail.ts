import { defaultPlatform, fillPath } from '@parley/protocol/paths';
import type { ReadyMailResponse } from '@parley/protocol/session-responses';
import { visitorPatterns } from '@parley/protocol/visitor-paths';
import { type Connection, readObject, requestInTime } from './connection.ts';
import type { SessionReference } from './session-input.ts';

export interface ReadyMailRequest {
  readonly address: string;
  /** Of the mail, such as `de`. */
  readonly language: string;
}

/** Has the visitor written to, once, when what the agent is at is finished; anything but `accepted`: nobody is. */
export async function askForReadyMail(
  connection: Connection,
  { sessionId, continuationToken }: SessionReference,
  ask: ReadyMailRequest,
): Promise<ReadyMailResponse['status']> {
  const path = fillPath(visitorPatterns(connection.platform ?? defaultPlatform).readyMail, sessionId);
  const body = { continuationToken, ...ask };
  const { status } = await requestInTime(connection, path, { body }, (response) => readObject(response));
  return status as ReadyMailResponse['status'];
}
