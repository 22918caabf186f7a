import type { ConnectionSettings } from '@parley/protocol/settings/connection';
import type { ToolOutcome } from './tool.ts';

/** Counts a call of a connection's tools; how long to wait where there were too many. */
export type CallCount = (
  connection: Pick<ConnectionSettings, 'id' | 'callsPerMinute'>,
) => Promise<{ readonly retryAfterMs: number } | null>;

/** What a call that is one too many comes to, or null: it is made. */
export async function tooManyCalls(
  connection: Pick<ConnectionSettings, 'id' | 'name' | 'callsPerMinute'>,
  count: CallCount,
): Promise<Extract<ToolOutcome, { ok: false }> | null> {
  const limited = await count(connection);
  if (limited === null) return null;
  const seconds = Math.max(1, Math.ceil(limited.retryAfterMs / 1_000));
  const message = `${connection.name} takes no more calls in this minute. Try again in ${seconds} s.`;
  return { ok: false, code: 'RATE_LIMITED', message };
}
