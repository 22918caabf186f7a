import { enqueueRequest, delta } from '../contract/samples.ts';
import { openSqliteStore } from './sqlite-store.ts';

// Run as a process of its own, to be killed: appends for ever, and prints each index once it is acknowledged.
const store = await openSqliteStore({ path: process.argv[2]! });
const accepted = await store.enqueue(
  enqueueRequest({ lease: { owner: `runner ${process.pid}`, leaseMs: 60_000 } }),
);
if (accepted.outcome !== 'accepted' || accepted.leased === null) throw new Error(accepted.outcome);
const { lease } = accepted.leased;
process.stdout.write(`accepted\n`);
for (let index = accepted.nextIndex; ; index += 2) {
  const { firstIndex } = await store.commit(lease, {
    events: [delta(`${index}`), delta(`${index + 1}`)],
    consume: [0],
  });
  process.stdout.write(`${firstIndex + 1}\n`);
}
