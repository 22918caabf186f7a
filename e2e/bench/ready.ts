import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgent, startServer } from '../src/server.ts';
import { callJson, readUntil } from './http-client.ts';
import { inParallel, percentile, row } from './statistics.ts';

const events = 100_000;
const script = [
  { steps: Array.from({ length: 200 }, (_, index) => (index % 2 ? { reason: 'So. ' } : { say: 'Word. ' })) },
];

/** From spawning the server to an answer of `/readyz`, with a database that has seen use. */
export async function benchReady(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  try {
    const server = await startServer({ directory });
    const { secretKey: key } = await createAgent(server, script, { reasoning: { show: true } });
    let written = 0;
    while (written < events) {
      await inParallel(16, 16, async () => {
        const { sessionId } = await callJson<{ sessionId: string }>(`${server.url}/parley/v1/session`, {
          method: 'POST',
          key,
          body: { message: 'Hello' },
        });
        await readUntil(
          `${server.url}/parley/v1/session/${sessionId}/stream?soFar=0`,
          key,
          '"session.waiting"',
          () => {
            written += 1;
          },
        );
      });
    }
    await server.kill();

    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const startedAt = performance.now();
      const again = await startServer({ directory });
      await callJson(`${again.url}/readyz`, { method: 'GET' });
      times.push(performance.now() - startedAt);
      await again.kill();
    }
    row(`spawn to /readyz with ${written} events, median of 5`, percentile(times, 0.5), 'ms', 'under 2000');
  } finally {
    await rm(directory, { recursive: true });
  }
}
