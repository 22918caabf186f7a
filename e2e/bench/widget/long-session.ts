import { createSessions } from '@parley/client/session';
import type { SessionReference } from '@parley/client/session-input';
import { createAgent, type RunningServer } from '../../src/server.ts';
import { browserKey } from './browser-key.ts';
import { answer, history, questionPattern } from './history.ts';

/** Each key may begin 60 turns a minute. */
const keysNeeded = 10;

interface LongSession {
  /** For a browser. */
  readonly key: string;
  readonly reference: SessionReference;
}

/** A conversation of 1,000 messages with an agent of its own, every turn of which the service has run. */
export async function writeLongSession(server: RunningServer): Promise<LongSession> {
  const agent = await createAgent(server, [{ when: questionPattern, steps: [{ say: answer('{{1}}') }] }], {
    contextTokens: 1_000_000,
  });
  const speakers = await Promise.all(
    Array.from({ length: keysNeeded }, async () => {
      const { tenantId, agentId } = agent;
      const body = { tenantId, agentId, kind: 'secret' };
      const { key } = await server.settings<{ key: string }>('POST', '/keys', body);
      return createSessions({ baseUrl: server.url, key });
    }),
  );
  const [first] = speakers;
  const reference = await first!.start(history[0]!.question);
  let turns = 1;
  for await (const { event } of first!.follow(reference.sessionId)) {
    if (event.type !== 'session.waiting') continue;
    if (turns === history.length) break;
    await speakers[turns % keysNeeded]!.send(reference, history[turns]!.question);
    turns += 1;
  }
  return { key: await browserKey(server, agent), reference };
}
