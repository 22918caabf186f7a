import type { History, Violation } from './history.ts';
import type { Log } from './read-log.ts';

/** Prefix, monotonic reader, isolation: every reader saw the log as it is, and no other tenant's. */
export function checkReads({ connections, logs, canaries }: History, events: readonly Log[]): Violation[] {
  const violations: Violation[] = [];
  const cursors = new Map<string, number>();

  for (const { tenant, session, reader, startIndex, lines } of connections) {
    const log = logs.get(session) ?? [];
    for (const [offset, line] of lines.entries()) {
      const index = startIndex + offset;
      if (line === log[index]) continue;
      const now = log[index] ?? 'nothing';
      violations.push({
        invariant: 'prefix',
        detail: `${reader} got at index ${index} of ${session}: ${line}; the log has ${now}.`,
      });
      break;
    }
    const cursor = cursors.get(reader);
    if (cursor !== undefined && startIndex !== cursor) {
      violations.push({
        invariant: 'monotonic reader',
        detail: `${reader} was at index ${cursor} of ${session} and went on at ${startIndex}.`,
      });
    }
    cursors.set(reader, startIndex + lines.length);

    for (const [owner, canary] of Object.entries(canaries)) {
      if (owner === tenant || !lines.some((line) => line.includes(canary))) continue;
      violations.push({ invariant: 'isolation', detail: `${reader} of ${tenant} read a text of ${owner}.` });
    }
  }

  for (const log of events) {
    const ids = new Set<string>();
    for (const { type, meta } of log.events) {
      if (ids.has(meta.id))
        violations.push({ invariant: 'prefix', detail: `${log.session} has ${type} ${meta.id} twice.` });
      ids.add(meta.id);
    }
  }
  return violations;
}
