import { setTimeout } from 'node:timers/promises';
import type { SessionEvent } from '@parley/protocol/event';
import { type Reader, followSession, readLog } from '../crash/reader.ts';
import { send } from '../crash/sender.ts';
import { type Place, type Visitor, rested } from '../crash/visitor.ts';

/** A dead owner is replaced within 7 s; a machine that is busy takes its time. */
const obeyedMs = 20_000;
const turnsPerSession = 5;
const answerMs = 15_000;

export interface BrokenWord {
  readonly invariant: 'cancel' | 'end';
  readonly detail: string;
}

/**
 * Somebody who begins turns of a minute and cancels each, or ends its session, while it speaks, and who then holds the
 * service to what it answered.
 */
export function interrupt(
  place: Place,
  kind: 'cancel' | 'end',
  number: number,
  broken: BrokenWord[],
): Visitor & { readonly readers: readonly Reader[] } {
  const { service, tenant, operations, pause } = place;
  const readers: Reader[] = [];
  let stopping = false;
  let sessions = 0;

  async function speak(path: string, turn: number, continuationToken?: string) {
    const text = `${kind} ${tenant.canary}-${number}-${sessions}-${turn}`;
    return send<{ sessionId: string; continuationToken: string }>(service, tenant, operations, {
      interface: 'sessions',
      path,
      body: { message: text, ...(continuationToken && { continuationToken }) },
      text,
    });
  }

  /** Asks until somebody answers: a cancel of a named turn and an end do no more the second time. */
  async function control(path: string, body: object): Promise<{ status: number; answer: string }> {
    for (;;) {
      try {
        const { url } = await service.current();
        const response = await fetch(url + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${tenant.secretKey}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(answerMs),
        });
        const answer = await response.text();
        if (response.status < 500) return { status: response.status, answer };
      } catch {
        // Nobody answered.
      }
      await setTimeout(50);
    }
  }

  async function cancelTurn(reader: Reader, turns: number): Promise<void> {
    const turnId = `turn_${turns - 1}`;
    await reader.until((events) => saysSomethingIn(events, turnId));
    const { status, answer } = await control(`/parley/v1/session/${reader.session}/cancel`, { turnId });
    if (await within(obeyedMs, reader.until(rested(turns)))) {
      const end = reader.events.find(
        (event) =>
          endsTurn(event) && 'data' in event && 'turnId' in event.data && event.data.turnId === turnId,
      );
      if (end?.type !== 'turn.cancelled')
        broken.push({
          invariant: 'cancel',
          detail: `${turnId} of ${reader.session} ended with ${end?.type}; its cancel was answered with ${status} ${answer}`,
        });
      return;
    }
    broken.push({
      invariant: 'cancel',
      detail: `${turnId} of ${reader.session} went on for ${obeyedMs} ms; its cancel was answered with ${status} ${answer}`,
    });
    await control(`/parley/v1/session/${reader.session}/cancel`, { turnId });
    await reader.until(rested(turns));
  }

  async function endSession(reader: Reader, turnId: string, continuationToken: string): Promise<void> {
    await reader.until((events) => saysSomethingIn(events, turnId));
    const { status, answer } = await control(`/parley/v1/session/${reader.session}/end`, {
      continuationToken,
    });
    const fault = (detail: string) =>
      broken.push({
        invariant: 'end',
        detail: `${reader.session} ${detail}; its end was answered with ${status} ${answer}`,
      });
    if (status === 200) {
      const log = await readAnywhere(reader.session);
      if (!log.at(-1)?.includes('"session.completed"')) fault(`ends with ${log.at(-1)}`);
    }
    const over = reader.until((events) => events.at(-1)?.type === 'session.completed');
    if (!(await within(obeyedMs, over))) fault(`went on for ${obeyedMs} ms`);
    reader.stop();
  }

  async function readAnywhere(session: string): Promise<string[]> {
    for (;;) {
      try {
        return await readLog((await service.current()).url, tenant, session);
      } catch {
        await setTimeout(50);
      }
    }
  }

  async function talk(): Promise<void> {
    for (; !stopping; sessions += 1) {
      const { sessionId, continuationToken } = await speak('/parley/v1/session', 0);
      const reader = followSession(service, tenant, sessionId);
      readers.push(reader);
      for (let turns = 1; kind === 'cancel'; turns += 1) {
        await cancelTurn(reader, turns);
        if (stopping || turns === turnsPerSession) break;
        await pause?.();
        await speak(`/parley/v1/session/${sessionId}`, turns, continuationToken);
      }
      if (kind === 'end') await endSession(reader, 'turn_0', continuationToken);
      await pause?.();
    }
  }

  const idle = talk();
  // A refusal is reported to whoever waits for the visitor, later.
  idle.catch(() => {});
  return {
    name: `${kind} ${number}`,
    readers,
    get reader() {
      return readers.at(-1) ?? null;
    },
    idle,
    stop: () => (stopping = true),
  };
}

function saysSomethingIn(events: readonly SessionEvent[], turnId: string): boolean {
  return events.some((event) => event.type === 'message.appended' && event.data.turnId === turnId);
}

function endsTurn({ type }: SessionEvent): boolean {
  return type === 'turn.completed' || type === 'turn.failed' || type === 'turn.cancelled';
}

/** False when it takes longer. */
async function within(ms: number, done: Promise<void>): Promise<boolean> {
  const late = new AbortController();
  try {
    return await Promise.race([done.then(() => true), setTimeout(ms, false, { signal: late.signal })]);
  } finally {
    late.abort();
  }
}
