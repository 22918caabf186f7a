import { expect, test } from 'vitest';
import { type TestAgent, type TestProcess, agentOf, testProcesses } from '../testing/processes.ts';
import { request } from '../testing/test-service.ts';
import { as, identitySecret } from '../testing/visitor-token.ts';
import type { VisitorSession } from '../testing/visitor.ts';

const script = [{ steps: [{ say: 'Re: {{input}}' }] }];

type Ending = (
  process: TestProcess,
  agent: TestAgent,
  session: VisitorSession,
) => Promise<{ status: number }>;

const endings: [string, Ending, status: number][] = [
  [
    'its key is deleted',
    ({ settings }, { publishable }) => settings('DELETE', `/keys/${publishable.id}`),
    401,
  ],
  [
    'its key is regenerated',
    ({ settings }, { publishable }) => settings('POST', `/keys/${publishable.id}/regenerate`),
    401,
  ],
  ['its agent is deleted', ({ settings }, { agentId }) => settings('DELETE', `/agents/${agentId}`), 403],
  ['its tenant is deleted', ({ settings }, { tenantId }) => settings('DELETE', `/tenants/${tenantId}`), 401],
  [
    'it becomes a visitor’s own',
    async (_process, { agentId }, session) => session.send({ message: 'private' }, await as(agentId, 'ada')),
    404,
  ],
  [
    'it is erased',
    (_process, _agent, { visitor, id, token }) =>
      request(`${visitor.base}/${id}`, {
        method: 'DELETE',
        headers: visitor.headers,
        body: JSON.stringify({ continuationToken: token }),
      }),
    404,
  ],
];

test.each(endings)(
  'the streams of a session end on every process when %s on one, on those that hear nothing too, and no other is opened',
  async (_when, ending, refusal) => {
    const [one, other, deaf] = await testProcesses(3);
    const agent = await agentOf(one!, script, { identity: { secret: identitySecret } });
    const session = await one!.visitor(agent.publishable.key).start('first');
    const visitors = [other!, deaf!].map((process) => process.visitor(agent.publishable.key));
    const readers = await Promise.all(visitors.map((visitor) => visitor.follow(session.id)));
    for (const reader of readers) await reader.boundaries(1);
    deaf!.busNetwork.cut();
    expect((await ending(one!, agent, session)).status).toBeLessThan(300);
    for (const reader of readers) {
      await reader.rest();
      expect(reader.text).not.toContain('private');
    }
    for (const visitor of visitors) {
      const open = async () => {
        const reader = await visitor.follow(session.id);
        reader.close();
        return reader.response.status;
      };
      await expect.poll(open).toBe(refusal);
    }
    expect(deaf!.bus.connected).toBe(false);
  },
);
