import type { RunningServer } from '../server.ts';
import type { Guest } from './guest.ts';
import { hostileBodies } from './hostile-bodies.ts';
import { readEvents } from './read-events.ts';

/** A session whose running turn holds up a queue of the largest follow-ups. */
export interface HeldSession {
  readonly sessionId: string;
  readonly queued: number;
}

/** Begins a turn that waits, and queues what is most costly behind it. */
export async function queueLargest(server: RunningServer, guest: Guest): Promise<HeldSession> {
  const headers = {
    authorization: `Bearer ${guest.publishableKey}`,
    'content-type': 'application/json',
  };
  const post = (path: string, body: unknown) =>
    fetch(`${server.url}/parley/v1/session${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const created = await post('', { message: 'hold' });
  const { sessionId, continuationToken } = (await created.json()) as {
    sessionId: string;
    continuationToken: string;
  };
  const stale = Array.from({ length: 32 }, (_, index) => ({
    requestId: `request-${index}`,
    optionId: 'yes',
  }));
  const bodies = [
    ...hostileBodies('SessionFollowUp').map((make) => make({ continuationToken })),
    { continuationToken, inputResponses: stale },
    { continuationToken, message: '\u{1F600}'.repeat(20_000) },
    { continuationToken, message: '\u0001'.repeat(18_000) },
  ];
  for (const body of bodies) {
    const { status } = await post(`/${sessionId}`, body);
    if (status !== 200) throw new Error(`A follow-up was answered ${status}.`);
  }
  return { sessionId, queued: bodies.length };
}

/** Cancels the turn that holds the queue up, and waits until everything behind it had its turn. */
export async function workOff(
  server: RunningServer,
  guest: Guest,
  { sessionId, queued }: HeldSession,
): Promise<void> {
  const headers = { authorization: `Bearer ${guest.publishableKey}` };
  const url = `${server.url}/parley/v1/session/${sessionId}`;
  await fetch(`${url}/cancel`, { method: 'POST', headers });
  let waits = 0;
  await readEvents(`${url}/stream`, headers, ({ type }) => {
    if (type === 'session.waiting') waits += 1;
    return waits > queued;
  });
}
