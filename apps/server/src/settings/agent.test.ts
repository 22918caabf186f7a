import { agentCreateSchema, agentPatchSchema } from '@parley/protocol/settings/agent';
import { expect, test } from 'vitest';
import { createSecrets } from '../crypto/secrets.ts';
import { pngOf } from '../testing/png-of.ts';
import { agentOf, agentView, patchAgent, recordOf } from './agent.ts';

const secrets = createSecrets(['s'.repeat(48)]);

test('an avatar that an earlier version stored may be sent back, and no other one like it', async () => {
  const avatar = pngOf(2_000, 2_000);
  const model = { provider: 'scripted', script: [] };
  const create = agentCreateSchema.parse({ tenantId: 'tenant_1', name: 'Ada', model, widget: { avatar } });
  const createdAt = new Date(0).toISOString();
  const agent = agentOf(recordOf({ id: 'agent_1', revision: 1, createdAt }, create, secrets), secrets);
  const patched = async (avatarThen: string) => {
    const widget = { ...agentView(agent).widget, avatar: avatarThen, accent: '#2f6f4f' };
    return agentOf(await patchAgent(agent, agentPatchSchema.parse({ widget }), secrets), secrets).settings
      .widget;
  };
  expect(await patched(avatar)).toMatchObject({ avatar, accent: '#2f6f4f' });
  await expect(patched(pngOf(2_000, 1_999))).rejects.toThrow('It has 2000.');
});
