import type { History, Operation, Violation } from './history.ts';
import type { Log } from './read-log.ts';

interface Place {
  readonly session: string;
  readonly index: number;
  /** Its turn failed or was cancelled: a Chat request that is repeated then is asked anew. */
  withdrawn: boolean;
}

/** Durable, no phantom, follow-ups: what was acknowledged is in the log once, in order, and nothing else is. */
export function checkMessages({ operations }: History, logs: readonly Log[]): Violation[] {
  const violations: Violation[] = [];
  const messages = group(operations, ({ text }) => text);
  const answers = group(operations, ({ requestId }) => requestId);
  const received = new Map<string, Place[]>();
  const answered = new Map<string, Place[]>();
  for (const { session, events } of logs) {
    let last: Place | null = null;
    for (const [index, event] of events.entries()) {
      const place = { session, index, withdrawn: false };
      if (event.type === 'message.received') put(received, event.data.message, (last = place));
      if (event.type === 'input.answered') put(answered, event.data.requestId, place);
      if (last && (event.type === 'turn.failed' || event.type === 'turn.cancelled')) last.withdrawn = true;
      if (event.type === 'turn.started') last = null;
    }
  }
  violations.push(
    ...checkPresence('message', messages, received),
    ...checkPresence('answer', answers, answered),
  );
  return [...violations, ...checkOrder(messages, received)];
}

function checkPresence(
  what: string,
  sent: ReadonlyMap<string, readonly Operation[]>,
  logged: ReadonlyMap<string, readonly Place[]>,
): Violation[] {
  const violations: Violation[] = [];
  for (const [name, attempts] of sent) {
    const isChat = attempts.some((attempt) => attempt.interface === 'chat');
    const times = (logged.get(name) ?? []).filter(({ withdrawn }) => !(isChat && withdrawn)).length;
    const acknowledged = attempts.some(({ outcome }) => outcome === 'ok');
    const possible = attempts.some(({ outcome }) => outcome !== 'refused');
    if (acknowledged && times !== 1) {
      violations.push({
        invariant: 'durable',
        detail: `The acknowledged ${what} ${name} is in the logs ${times} times.`,
      });
    }
    if (!acknowledged && times > (possible ? 1 : 0)) {
      const outcome = possible ? 'unacknowledged' : 'refused';
      violations.push({
        invariant: 'no phantom',
        detail: `The ${outcome} ${what} ${name} is in the logs ${times} times.`,
      });
    }
  }
  for (const [name, places] of logged) {
    if (sent.has(name)) continue;
    violations.push({
      invariant: 'no phantom',
      detail: `Nobody sent the ${what} ${name} of session ${places[0]?.session}.`,
    });
  }
  return violations;
}

/** A message acknowledged before another one was sent comes first. */
function checkOrder(
  messages: ReadonlyMap<string, readonly Operation[]>,
  received: ReadonlyMap<string, readonly Place[]>,
): Violation[] {
  const sessions = new Map<string, { text: string; index: number; sent: number; acknowledged: number }[]>();
  for (const [text, attempts] of messages) {
    const places = received.get(text) ?? [];
    const place = places.find(({ withdrawn }) => !withdrawn) ?? places[0];
    const acknowledged = attempts.find(({ outcome }) => outcome === 'ok')?.ended;
    if (!place || acknowledged === undefined) continue;
    const sent = Math.min(...attempts.map(({ started }) => started));
    put(sessions, place.session, { text, index: place.index, sent, acknowledged });
  }
  const violations: Violation[] = [];
  for (const taken of sessions.values()) {
    for (const first of taken) {
      for (const second of taken) {
        if (first.acknowledged > second.sent || first.index < second.index || first === second) continue;
        violations.push({
          invariant: 'follow-ups',
          detail: `${second.text} was taken before ${first.text}, which was accepted before it.`,
        });
      }
    }
  }
  return violations;
}

function group(
  operations: readonly Operation[],
  nameOf: (operation: Operation) => string | null,
): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const name = nameOf(operation);
    if (name !== null) put(groups, name, operation);
  }
  return groups;
}

function put<Value>(map: Map<string, Value[]>, name: string, value: Value): void {
  const values = map.get(name);
  if (values) values.push(value);
  else map.set(name, [value]);
}
