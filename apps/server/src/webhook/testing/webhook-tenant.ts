import { expect } from 'vitest';
import type { TestService } from '../../testing/test-service.ts';
import { Visitor } from '../../testing/visitor.ts';
import type { Receiver } from './open-receiver.ts';

/** The service that has it. */
type Host = Pick<TestService, 'url' | 'settings'>;

const allEvents = [
  'conversation.begun',
  'conversation.ended',
  'message',
  'approval.asked',
  'approval.answered',
  'rating',
  'hand_over',
];
export const script = [
  { when: 'pay', steps: [{ call: 'pay', input: { secret: 'canary-argument' } }, { say: 'Done.' }] },
  { steps: [{ say: 'You said {{input}}' }] },
];

/** A tenant with an agent, whose webhooks are paths of the receiver. */
export async function tenantOf(host: Host, receiver: Pick<Receiver, 'url'>) {
  const { id: tenantId } = (await host.settings('POST', '/tenants', { name: 'Tenant' })).body;
  const model = { provider: 'scripted', script };
  const { id: agentId } = (await host.settings('POST', '/agents', { tenantId, name: 'Ada', model })).body;
  await host.settings('POST', '/tools', {
    agentId,
    kind: 'http',
    name: 'pay',
    description: 'Pays',
    parameters: { type: 'object', properties: { secret: { type: 'string' } } },
    request: { method: 'POST', url: `${receiver.url}/pay`, body: { type: 'tool' } },
    approval: 'always',
  });
  const webhook = async (path: string, more: Record<string, unknown> = {}) => {
    const wanted = { tenantId, name: path, url: `${receiver.url}/${path}`, events: allEvents, ...more };
    const { status, body } = await host.settings('POST', '/webhooks', wanted);
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  };
  return { tenantId, agentId, webhook, visitor: await visitorOf(host, { tenantId, agentId }) };
}

export async function visitorOf(host: Host, { tenantId, agentId }: { tenantId: string; agentId: string }) {
  const { key } = (await host.settings('POST', '/keys', { tenantId, agentId, kind: 'publishable' })).body;
  return new Visitor(host.url, key);
}
