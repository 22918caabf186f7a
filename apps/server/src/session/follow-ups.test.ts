import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type TestAgent, type TestProcess, agentOf, testProcesses } from '../testing/processes.ts';
import { dataOf, linesOf } from '../testing/visitor.ts';

/** `FOLLOW_UP_ROUNDS=200` is for a run by hand. */
const rounds = Number(process.env['FOLLOW_UP_ROUNDS'] ?? 4);
const followUps = 50;
/** A client waits the seconds it is told. */
const pauseMs = 200;
const roundMs = 30_000;

/** Sends the message until it is taken: of what comes at once, more than may wait is refused for the moment. */
async function insist(
  process: TestProcess,
  { secret }: TestAgent,
  { id, token }: { id: string; token: string },
  message: string,
): Promise<void> {
  for (;;) {
    const body = { continuationToken: token, message };
    const answer = await process
      .visitor(secret.key)
      .post(`/${id}`, body, { 'idempotency-key': `the-key-of-${message}` });
    if (answer.status === 200) return;
    expect(answer).toMatchObject({ status: 429, body: { code: 'QUEUE_FULL' } });
    await setTimeout(pauseMs);
  }
}

test(
  'of 50 follow-ups at once each is taken once, in one order that the readers of every process see',
  { timeout: rounds * roundMs },
  async () => {
    const processes = await testProcesses(2);
    const agent = await agentOf(processes[0]!, [{ steps: [{ say: '{{input}}' }] }]);
    const follow = (id: string) =>
      Promise.all(processes.map((process) => process.visitor(agent.secret.key).follow(id)));
    for (let round = 0; round < rounds; round += 1) {
      const session = await processes[round % 2]!.visitor(agent.secret.key).start('first');
      const live = await follow(session.id);
      const messages = Array.from({ length: followUps }, (_, n) => `message-${round}-${n}`);
      // Whoever does not know whether a message arrived sends it again, wherever that leads.
      await Promise.all(
        messages.flatMap((message) => processes.map((process) => insist(process, agent, session, message))),
      );
      const readers = [...live, ...(await follow(session.id))];
      for (const reader of readers) {
        await reader.boundaries(1 + followUps);
        reader.close();
      }
      const [log] = readers;
      for (const reader of readers) expect(linesOf(reader.text)).toEqual(linesOf(log!.text));
      const received = dataOf(log!.events, 'message.received').map(({ message }) => message);
      expect(received.toSorted()).toEqual(['first', ...messages].toSorted());
      const answers = dataOf(log!.events, 'message.completed').map(({ message }) => message);
      expect(answers).toEqual(received);
    }
  },
);
