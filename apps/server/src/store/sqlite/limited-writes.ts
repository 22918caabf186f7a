import { spawnSync } from 'node:child_process';
import { enqueueRequest, delta, logOf, opened, texts } from '../contract/samples.ts';
import { StoreUnavailableError } from '../store-error.ts';
import { openSqliteStore } from './sqlite-store.ts';

// Run as a process of its own whose files may not grow beyond a limit, which it then lifts; prints what it met.
const store = await openSqliteStore({ path: process.argv[2]! });
const lease = await opened(store);
const acknowledged: string[] = [];
let failure: unknown;
while (failure === undefined) {
  const text = `${acknowledged.length} ${'x'.repeat(10_000)}`;
  await store.commit(lease, { events: [delta(text)] }).then(
    () => acknowledged.push(text),
    (error: unknown) => (failure = error),
  );
}
let ping: unknown;
while (ping === undefined) await store.ping().catch((error: unknown) => (ping = error));
const same = async () =>
  JSON.stringify(texts(await logOf(store, 'session_1'))) === JSON.stringify(acknowledged);
const readable = await same();
spawnSync('sh', ['-c', `prlimit --pid ${process.pid} --fsize=unlimited:`]);
const recovered = await store.enqueue(enqueueRequest({ sessionId: 'session_2' }));
await store.ping();
process.stdout.write(
  JSON.stringify({
    unavailable: failure instanceof StoreUnavailableError,
    ping: ping instanceof StoreUnavailableError,
    readable,
    recovered: recovered.outcome,
    whole: await same(),
  }),
);
await store.close();
