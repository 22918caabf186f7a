import { defaultPlatform, fillPath, sessionPatterns } from '@parley/protocol/paths';
import type { CancelResponse } from '@parley/protocol/session-responses';
import type { Connection, RequestOptions } from './connection.ts';
import { control } from './control.ts';

/** Stops the running turn, or only the one named. */
export const cancelTurn = (
  connection: Connection,
  sessionId: string,
  { turnId, ...options }: RequestOptions & { turnId?: string } = {},
): Promise<CancelResponse['status']> => {
  const { cancel } = sessionPatterns(connection.platform ?? defaultPlatform);
  return control(connection, fillPath(cancel, sessionId), { turnId }, options);
};
