import { spawnSync } from 'node:child_process';
import { acceptance, delta, logOf, opened, texts } from '../contract/samples.ts';
import { StoreUnavailable } from '../store-error.ts';
import { openSqliteStore } from './sqlite-store.ts';

// Run as a process of its own whose files may not grow beyond a limit, which it then lifts; prints what it met.
const store = await openSqliteStore({ path: process.argv[2]! });
const claim = await opened(store);
const now = Date.now();
const acknowledged: string[] = [];
let failure: unknown;
while (failure === undefined) {
  const text = `${acknowledged.length} ${'x'.repeat(10_000)}`;
  await store.commit(claim, { events: [delta(text)], now }).then(
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
const recovered = await store.accept(acceptance({ sessionId: 'session_2' }));
await store.ping();
process.stdout.write(
  JSON.stringify({
    unavailable: failure instanceof StoreUnavailable,
    ping: ping instanceof StoreUnavailable,
    readable,
    recovered: recovered.outcome,
    whole: await same(),
  }),
);
await store.close();
