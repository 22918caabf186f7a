import type { SessionEvent } from '@parley/protocol/event';
import type { Operation } from '../log-checker/history.ts';
import type { Tenant } from './tenant.ts';
import type { Reachable } from './restartable-service.ts';
import { type Reader, followSession } from './reader.ts';
import { send } from './sender.ts';

export const kinds = ['plain', 'safe', 'pay', 'both', 'approve', 'ask', 'long', 'queue', 'chat'] as const;
type Kind = (typeof kinds)[number];

export interface Visitor {
  readonly name: string;
  readonly reader: Reader | null;
  /** Resolves when everything it said is answered, once it has been asked to stop. */
  readonly idle: Promise<void>;
  stop(): void;
}

/** Where and as whose visitor somebody talks, and where what they sent is noted. */
export interface Place {
  readonly service: Reachable;
  readonly tenant: Tenant;
  readonly operations: Operation[];
  /** Before each message but the first. */
  readonly pause?: () => Promise<void>;
}

/** Somebody who talks to the agent in one way, in one session, without a pause unless the place asks for one. */
export function visit(place: Place, kind: Kind, number: number): Visitor {
  const { service, tenant, operations, pause } = place;
  let stopping = false;
  let reader: Reader | null = null;
  const name = `${kind} ${number}`;
  const words = (turn: number, at = 0) => `${kind} ${tenant.canary}-${number}-${turn}-${at}`;

  async function converse(): Promise<void> {
    for (let turn = 0; !stopping; turn += 1) {
      const text = words(turn);
      await send(service, tenant, operations, {
        interface: 'chat',
        path: '/api/v1/agent/chat',
        body: { id: `conversation-${tenant.canary}-${number}`, text },
        text,
      });
      await pause?.();
    }
  }

  async function talk(): Promise<void> {
    const text = words(0);
    const { sessionId, continuationToken } = await send<{ sessionId: string; continuationToken: string }>(
      service,
      tenant,
      operations,
      { interface: 'sessions', path: '/parley/v1/session', body: { message: text }, text },
    );
    const following = followSession(service, tenant, sessionId);
    reader = following;
    const path = `/parley/v1/session/${sessionId}`;
    let turns = 1;
    await following.until(rested(turns));
    while (!stopping || requests(following.events).length > 0) {
      const requestIds = requests(following.events);
      const burst = kind === 'queue' ? 3 : 1;
      if (requestIds.length > 0) {
        for (const requestId of requestIds) {
          const inputResponses = [{ requestId, optionId: kind === 'ask' ? 'red' : 'approve' }];
          const body = { continuationToken, inputResponses };
          await send(service, tenant, operations, { interface: 'sessions', path, body, requestId });
        }
        turns += requestIds.length;
      } else {
        await pause?.();
        for (let at = 0; at < burst; at += 1) {
          const message = words(turns, at);
          const body = { continuationToken, message };
          await send(service, tenant, operations, { interface: 'sessions', path, body, text: message });
        }
        turns += burst;
      }
      await following.until(rested(turns));
    }
  }

  const idle = kind === 'chat' ? converse() : talk();
  // A refusal is reported to whoever waits for the visitor, later.
  idle.catch(() => {});
  return {
    name,
    get reader() {
      return reader;
    },
    idle,
    stop: () => (stopping = true),
  };
}

/** The session waits, after as many turns as were asked for. */
export function rested(turns: number) {
  return (events: readonly SessionEvent[]): boolean =>
    events.at(-1)?.type === 'session.waiting' &&
    events.filter(({ type }) => type === 'turn.started').length >= turns;
}

/** What the last turn ended with asking for. */
function requests(events: readonly SessionEvent[]): string[] {
  const asked = events.at(-3);
  return asked?.type === 'input.requested' ? asked.data.requests.map(({ requestId }) => requestId) : [];
}
