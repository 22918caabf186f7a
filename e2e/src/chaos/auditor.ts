import { setTimeout as setTimer } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import { readChunks, readLines } from '@parley/client/ndjson';
import { type Reader, streamUrl } from '../crash/reader.ts';
import type { Reachable } from '../crash/restartable-service.ts';
import type { Tenant } from '../crash/tenant.ts';
import type { Connection } from '../log-checker/history.ts';

interface Followed {
  readonly reader: Reader;
  readonly tenant: Tenant;
}

export interface Auditor {
  readonly connections: readonly Connection[];
  /** What two readers of one log did not see alike, as soon as it was seen. */
  readonly differences: readonly { invariant: 'prefix'; detail: string }[];
  stop(): void;
}

/** Reads what visitors read once more, through any process, from any index on, for a second or two each time. */
export function audit(
  service: Reachable,
  followed: () => readonly Followed[],
  random: () => number,
): Auditor {
  const connections: Connection[] = [];
  const differences: { invariant: 'prefix'; detail: string }[] = [];
  const stopped = new AbortController();

  async function readFrom({ reader, tenant }: Followed, startIndex: number): Promise<void> {
    const { url } = await service.current();
    const over = new AbortController();
    const timer = setTimer(() => over.abort(), 1_000 + random() * 2_000);
    try {
      const response = await fetch(streamUrl(url, reader.session, startIndex), {
        headers: { authorization: `Bearer ${tenant.secretKey}` },
        signal: AbortSignal.any([stopped.signal, over.signal]),
      });
      if (!response.ok || !response.body) return;
      const lines: string[] = [];
      const name = `auditor ${connections.length}`;
      connections.push({
        tenant: tenant.tenantId,
        session: reader.session,
        reader: name,
        startIndex,
        lines,
      });
      for await (const line of readLines(readChunks(response.body))) {
        if (line === '') continue;
        const index = startIndex + lines.length;
        lines.push(line);
        const seen = reader.lines[index];
        if (seen === undefined || seen === line) continue;
        const detail = `${name} got at index ${index} of ${reader.session}: ${line}; its visitor ${seen}`;
        differences.push({ invariant: 'prefix', detail });
        console.log(`prefix: ${detail}`);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async function keepReading(): Promise<void> {
    while (!stopped.signal.aborted) {
      const all = followed();
      const one = all[Math.floor(random() * all.length)];
      if (one) await readFrom(one, Math.floor(random() * one.reader.lines.length)).catch(() => undefined);
      await setTimeout(50);
    }
  }

  for (let reading = 0; reading < 5; reading += 1) void keepReading();
  return { connections, differences, stop: () => stopped.abort() };
}
