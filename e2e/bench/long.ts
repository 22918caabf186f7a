import { createAgent, startServer } from '../src/server.ts';
import { callJson, readUntil } from './http-client.ts';
import { cpuMs } from './process-cost.ts';
import { row } from './statistics.ts';

/** 8 kB of answer in 200 deltas; what the visitor says has 4 kB. */
const script = [{ steps: [{ say: `${'a'.repeat(39)} `, repeat: 200 }] }];
const said = 'word '.repeat(800);
/** Averages over what happens every few dozen turns, such as a compaction. */
const measured = 100;

/** One conversation of 1,050 long turns: what a turn costs at its 1,000th beside its 100th. */
export async function benchLong(): Promise<void> {
  const server = await startServer({ environment: { LOG_LEVEL: 'info' } });
  try {
    const { secretKey } = await createAgent(server, script);
    const warmUp = await conversation(server.url, secretKey);
    await warmUp(200);
    const turns = await conversation(server.url, secretKey);
    const costOf = async (count: number): Promise<number> => {
      const before = cpuMs(server.pid!);
      await turns(count);
      return (cpuMs(server.pid!) - before) / count;
    };
    await turns(100 - measured / 2);
    const early = await costOf(measured);
    await turns(900 - measured);
    const late = await costOf(measured);
    process.stdout.write(`CPU of a turn of 4 kB and 8 kB in one conversation, mean of ${measured} turns\n`);
    row('around the 100th turn', early, 'ms CPU', '');
    row('around the 1,000th turn', late, 'ms CPU', '');
    row('  beside the 100th', late / early, 'times', 'at most 1.5');
  } finally {
    await server.stop();
  }
}

/** Begins a conversation, and gives the function that goes on with it for a number of turns. */
async function conversation(url: string, key: string): Promise<(count: number) => Promise<void>> {
  const base = `${url}/parley/v1/session`;
  const call = { method: 'POST', key } as const;
  const created = await callJson<{ sessionId: string; continuationToken: string }>(base, {
    ...call,
    body: { message: said },
  });
  const { sessionId, continuationToken } = created;
  let next = 0;
  const finished = () =>
    readUntil(`${base}/${sessionId}/stream?soFar=0&startIndex=${next}`, key, '"session.waiting"', () => {
      next += 1;
    });
  await finished();
  return async (count) => {
    for (let turn = 0; turn < count; turn += 1) {
      await callJson(`${base}/${sessionId}`, { ...call, body: { continuationToken, message: said } });
      await finished();
    }
  };
}
