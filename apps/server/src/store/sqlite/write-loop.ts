import { acceptance, delta } from '../contract/samples.ts';
import { openSqliteStore } from './sqlite-store.ts';

// Run as a process of its own, to be killed: appends for ever, and prints each index once it is acknowledged.
const store = await openSqliteStore({ path: process.argv[2]! });
const until = Number.MAX_SAFE_INTEGER;
await store.expireAll();
const now = Date.now();
const accepted = await store.accept(acceptance({ now, lease: { owner: `runner ${process.pid}`, until } }));
if (accepted.outcome !== 'accepted' || accepted.claim === null) throw new Error(accepted.outcome);
const { claim } = accepted;
process.stdout.write(`accepted\n`);
for (let index = accepted.nextIndex; ; index += 2) {
  const { firstIndex } = await store.commit(claim, {
    events: [delta(`${index}`), delta(`${index + 1}`)],
    consume: [0],
    now,
  });
  process.stdout.write(`${firstIndex + 1}\n`);
}
