import type { IncomingMessage } from 'node:http';
import { createAgent, startServer } from '../src/server.ts';
import { createChatKeys } from './chat-keys.ts';
import { openDelayingProxy } from './delaying-proxy.ts';
import { callJson, open, readLines } from './http-client.ts';
import { percentile, row } from './statistics.ts';

const turns = 150;
const warmUp = 50;
const roundTripMs = 80;
const script = [{ steps: [{ say: 'word ', repeat: 50 }] }];

type Created = { readonly sessionId: string; readonly continuationToken: string };
/** One turn against the service at this address, read to its end: milliseconds until the first text of the answer. */
type Turn = (url: string) => Promise<number>;

/** The first text of an answer in either interface, turn about, without and with time on the way. */
export async function benchFirstText(): Promise<void> {
  const server = await startServer();
  const proxy = await openDelayingProxy(server.url, roundTripMs / 2);
  try {
    const { secretKey, agentId, tenantId } = await createAgent(server, script);
    const chatKey = await createChatKeys(server, { tenantId, agentId }, 2 * (turns + warmUp));
    const kinds = {
      chat: chatTurn(chatKey),
      start: startTurn(secretKey),
      followUp: followUpTurn(secretKey),
      twoRequests: twoRequestTurn(secretKey),
    };
    for (const [way, url] of [
      ['on loopback', server.url],
      [`with ${roundTripMs} ms of round-trip time`, proxy.url],
    ] as const) {
      const medians = await measure(url, kinds);
      process.stdout.write(`First text ${way}, median of ${turns} turns of each, one at a time\n`);
      const beside = (name: string, milliseconds: number, wanted: string) => {
        row(name, milliseconds, 'ms', '');
        row('  beside Chat', milliseconds / medians.chat, 'times', wanted);
      };
      row('Chat turn, event stream', medians.chat, 'ms', '');
      beside('Sessions turn, start answered with the stream', medians.start, 'at most 1.1');
      beside('Sessions turn, follow-up answered with it', medians.followUp, 'at most 1.1');
      beside('Sessions turn, start, then the stream', medians.twoRequests, '');
    }
  } finally {
    proxy.close();
    await server.stop();
  }
}

/** The median of each kind of turn; the kinds take turns, so that the machine is the same for all. */
async function measure<Kind extends string>(url: string, kinds: Record<Kind, Turn>) {
  const all = Object.entries<Turn>(kinds).map(([kind, turn]) => ({ kind, turn, times: [] as number[] }));
  for (let count = 0; count < warmUp + turns; count += 1) {
    for (const { turn, times } of all) {
      const time = await turn(url);
      if (count >= warmUp) times.push(time);
    }
  }
  const medians = all.map(({ kind, times }) => [kind, percentile(times, 0.5)]);
  return Object.fromEntries(medians) as Record<Kind, number>;
}

/** Measures a turn on a connection that is open, as a visitor's is: the widget has asked for its settings. */
async function timed(
  url: string,
  send: () => Promise<IncomingMessage>,
  { text, last }: { text: string; last: string },
): Promise<number> {
  await callJson(`${url}/healthz`, { method: 'GET' });
  const startedAt = performance.now();
  let first = Number.NaN;
  await readLines(await send(), last, (line) => {
    if (Number.isNaN(first) && line.includes(text)) first = performance.now() - startedAt;
  });
  return first;
}

const inStream = { text: '"message.appended"', last: '"session.waiting"' };
const inChat = { text: '"text-delta"', last: '[DONE]' };
const ndjson = { accept: 'application/x-ndjson' };
const message = { message: 'Hello' };
const sessionUrl = (url: string, rest: string) => `${url}/parley/v1/session${rest}`;
const begin = (url: string, key: string) =>
  callJson<Created>(sessionUrl(url, ''), { method: 'POST', key, body: message });

function chatTurn(chatKey: () => string): Turn {
  let count = 0;
  return (url) => {
    const body = { id: `first-text-${(count += 1)}`, text: 'Hello' };
    const headers = { accept: 'text/event-stream' };
    const call = { method: 'POST', key: chatKey(), body, headers } as const;
    return timed(url, () => open(`${url}/api/v1/agent/chat`, call), inChat);
  };
}

function startTurn(key: string): Turn {
  const call = { method: 'POST', key, body: message, headers: ndjson } as const;
  return (url) => timed(url, () => open(sessionUrl(url, '?soFar=0'), call), inStream);
}

function followUpTurn(key: string): Turn {
  return async (url) => {
    const { sessionId, continuationToken } = await begin(url, key);
    const path = `/${sessionId}/stream?soFar=0`;
    const first = await open(sessionUrl(url, path), { method: 'GET', key });
    await readLines(first, inStream.last, () => undefined);
    const body = { ...message, continuationToken };
    const call = { method: 'POST', key, body, headers: ndjson } as const;
    return timed(url, () => open(sessionUrl(url, `/${sessionId}?soFar=0`), call), inStream);
  };
}

function twoRequestTurn(key: string): Turn {
  return (url) =>
    timed(
      url,
      async () => {
        const { sessionId } = await begin(url, key);
        return open(sessionUrl(url, `/${sessionId}/stream?soFar=0`), { method: 'GET', key });
      },
      inStream,
    );
}
