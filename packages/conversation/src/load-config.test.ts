import { expect, test } from 'vitest';
import { loadConfig } from './load-config.ts';

const refusal = {
  ok: false,
  reason: 'agent-inactive',
  message: 'The agent is not active.',
  notice: 'Back soon.',
};

/** A service whose agent is switched off, where a person answers in one session. */
function paused() {
  const asked: string[] = [];
  const send: typeof fetch = async (input) => {
    const address = typeof input === 'string' ? input : '';
    asked.push(address);
    return Response.json(address.endsWith('&session=held') ? { ok: true, platform: 'parley' } : refusal);
  };
  return { asked, send };
}

test('a page goes on with a conversation that a person answers while the agent is off, and with no other', async () => {
  const { asked, send } = paused();
  expect(await loadConfig(send, 'https://chat.example', 'pk', 'held')).toMatchObject({ ok: true });
  expect(asked).toEqual(['https://chat.example/v1/config?key=pk&session=held']);
  const rejected = { code: 'AGENT_INACTIVE', notice: 'Back soon.' };
  await expect(loadConfig(send, 'https://chat.example', 'pk', 'other')).rejects.toMatchObject(rejected);
  await expect(loadConfig(send, 'https://chat.example', 'pk', undefined)).rejects.toMatchObject(rejected);
});
