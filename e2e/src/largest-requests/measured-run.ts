import type { RunningServer } from '../server.ts';
import type { Guest } from './guest.ts';
import { type LargestRequest, largestRequests } from './largest-requests.ts';
import { readEvents } from './read-events.ts';

/** What is read here of the measured program's answer. */
export interface Measured {
  readonly rss: number;
  readonly loopDelayMaxMs: number;
}

export interface RequestCost {
  readonly name: string;
  readonly status: number;
  /** The longest that the event loop of the service was held, from the request to the end of the turn it began. */
  readonly loopMs: number;
  readonly rss: number;
}

/** Sends every largest request, one after another, and measures each until nothing of it runs any more. */
export async function measureRequests(server: RunningServer, guest: Guest): Promise<RequestCost[]> {
  const costs: RequestCost[] = [];
  for await (const request of largestRequests(guest)) {
    await server.ask({ type: 'watch' });
    const status = await perform(server, guest, request);
    const { loopDelayMaxMs, rss } = await server.ask<Measured>({ type: 'measure' });
    costs.push({ name: request.name, status, loopMs: loopDelayMaxMs, rss });
  }
  return costs;
}

const idle = new Set(['session.waiting', 'session.completed', 'session.failed']);

async function perform(server: RunningServer, guest: Guest, request: LargestRequest): Promise<number> {
  const { method, path, headers, body } = request;
  const controller = new AbortController();
  const response = await fetch(server.url + path, {
    method,
    headers,
    ...(body !== undefined && { body }),
    signal: controller.signal,
  });
  if (response.headers.get('content-type')?.startsWith('application/x-ndjson')) {
    controller.abort();
    return response.status;
  }
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const sessionId = request.session(isJson && text !== '' ? JSON.parse(text) : null);
  if (sessionId !== null && response.ok) await untilIdle(server, guest, sessionId);
  return response.status;
}

/** Reads the session's log as a widget does, cumulative texts included, until it waits or is over. */
async function untilIdle(server: RunningServer, guest: Guest, sessionId: string): Promise<void> {
  const headers = { authorization: `Bearer ${guest.publishableKey}` };
  const url = `${server.url}/parley/v1/session/${sessionId}`;
  const exists = await fetch(`${url}/transcript`, { headers });
  await exists.text();
  if (exists.status !== 200) return;
  await readEvents(`${url}/stream`, headers, ({ type }) => idle.has(type));
}
