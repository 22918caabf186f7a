/**
 * Until when a session must have been active for the last time to be idle. After a clock was set back, what is not asked
 * to be idle at all is still found.
 */
export function idleSince(now: number, idleMs = 0): number {
  return idleMs === 0 ? Number.MAX_SAFE_INTEGER : now - idleMs;
}
