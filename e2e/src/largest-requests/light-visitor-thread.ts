import { parentPort, workerData } from 'node:worker_threads';
import { readEvents } from './read-events.ts';

// Says a word, waits for the end of the turn, tells how many milliseconds it took, and says the next one until it is told to stop.
const { url, key } = workerData as { url: string; key: string };
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
let stopped = false;
parentPort?.once('message', () => (stopped = true));

while (!stopped) {
  const startedAt = performance.now();
  const created = await fetch(`${url}/parley/v1/session`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ message: 'word' }),
  });
  if (created.status !== 202) throw new Error(`The light visitor was answered ${created.status}.`);
  const { sessionId } = (await created.json()) as { sessionId: string };
  const stream = `${url}/parley/v1/session/${sessionId}/stream?soFar=0`;
  await readEvents(stream, headers, ({ type }) => type === 'session.waiting');
  parentPort?.postMessage(performance.now() - startedAt);
}
