import { setTimeout as setTimer } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import type { SessionEvent } from '@parley/protocol/event';
import { readChunks, readLines } from '@parley/client/ndjson';
import type { Connection } from '../log-checker/history.ts';
import type { TestAgent } from '../server.ts';
import type { Reachable } from './restartable-service.ts';

/** Streams say something every 5 s. */
const silenceMs = 8_000;

/** Follows one session through every death of the service, and keeps each line of each connection. */
export interface Reader {
  readonly session: string;
  readonly connections: readonly Connection[];
  /** The events as they came. */
  readonly lines: readonly string[];
  readonly events: readonly SessionEvent[];
  /** Resolves once what was read satisfies the condition. */
  until(condition: (events: readonly SessionEvent[]) => boolean): Promise<void>;
  stop(): void;
}

export function followSession(service: Reachable, agent: TestAgent, session: string): Reader {
  const connections: Connection[] = [];
  const read: string[] = [];
  const events: SessionEvent[] = [];
  const stopped = new AbortController();
  let waiting: { condition: (events: readonly SessionEvent[]) => boolean; resolve: () => void }[] = [];

  async function readOnce(): Promise<void> {
    const { url } = await service.current();
    const silent = new AbortController();
    const silence = setTimer(() => silent.abort(), silenceMs);
    try {
      const response = await fetch(streamUrl(url, session, events.length), {
        headers: { authorization: `Bearer ${agent.secretKey}` },
        signal: AbortSignal.any([stopped.signal, silent.signal]),
      });
      if (!response.ok || !response.body) throw new Error(`The stream answered ${response.status}.`);
      const lines: string[] = [];
      const { tenantId: tenant } = agent;
      connections.push({ tenant, session, reader: `reader of ${session}`, startIndex: events.length, lines });
      for await (const line of readLines(readChunks(response.body))) {
        silence.refresh();
        if (line !== '') take(line, lines);
      }
    } finally {
      clearTimeout(silence);
    }
  }

  function take(line: string, lines: string[]): void {
    lines.push(line);
    read.push(line);
    events.push(JSON.parse(line));
    waiting = waiting.filter(({ condition, resolve }) => {
      if (!condition(events)) return true;
      resolve();
      return false;
    });
  }

  async function keepReading(): Promise<void> {
    while (!stopped.signal.aborted) {
      try {
        await readOnce();
      } catch {
        // The process died; the next one goes on from where this one was.
        await setTimeout(10);
      }
    }
  }

  void keepReading();
  return {
    session,
    connections,
    lines: read,
    events,
    async until(condition) {
      if (condition(events)) return;
      await new Promise<void>((resolve) => waiting.push({ condition, resolve }));
    },
    stop: () => stopped.abort(),
  };
}

/** The whole log as it is now. */
export async function readLog(url: string, { secretKey }: TestAgent, session: string): Promise<string[]> {
  const stop = new AbortController();
  const response = await fetch(`${streamUrl(url, session, 0)}&includeTailIndex=1`, {
    headers: { authorization: `Bearer ${secretKey}` },
    signal: stop.signal,
  });
  if (!response.ok || !response.body) throw new Error(`The stream answered ${response.status}.`);
  const length = Number(response.headers.get('x-parley-stream-tail-index')) + 1;
  const log: string[] = [];
  if (length > 0) {
    for await (const line of readLines(readChunks(response.body))) {
      if (line !== '') log.push(line);
      if (log.length === length) break;
    }
  }
  stop.abort();
  return log;
}

export function streamUrl(url: string, session: string, startIndex: number): string {
  return `${url}/parley/v1/session/${session}/stream?soFar=0&startIndex=${startIndex}`;
}
