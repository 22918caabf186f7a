import type { History, Operation, Violation } from './history.ts';

const limit = 60;
const windowMs = 60_000;

/** Quota: no 60 s in which one key had more than 60 Chat turns accepted for certain. */
export function checkQuota({ operations }: History): Violation[] {
  const accepted = new Map<string, Operation[]>();
  const known = new Set<string>();
  for (const operation of operations) {
    const { interface: origin, apiKey, idempotencyKey, outcome } = operation;
    if (origin !== 'chat' || outcome !== 'ok') continue;
    if (idempotencyKey !== null && known.has(idempotencyKey)) continue;
    if (idempotencyKey !== null) known.add(idempotencyKey);
    accepted.set(apiKey, [...(accepted.get(apiKey) ?? []), operation]);
  }
  const violations: Violation[] = [];
  for (const [apiKey, turns] of accepted) {
    const most = Math.max(
      ...turns.map(
        ({ started: from }) =>
          turns.filter(({ started, ended }) => started >= from && ended <= from + windowMs).length,
      ),
    );
    if (most > limit)
      violations.push({ invariant: 'quota', detail: `${apiKey} had ${most} turns accepted in 60 s.` });
  }
  return violations;
}
