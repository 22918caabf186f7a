import { beforeAll, expect, test } from 'vitest';
import { type SharedService, Visitor, dataOf, sharedService } from '../../testing/visitor.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

const script = [{ steps: [{ say: 'Yes.' }] }];

/** An agent with a tool, and the configuration that a turn of it begins with. */
async function configured() {
  const { agentId, visitor, secret } = await service.agent(script, { tools: [{ name: 'look' }] });
  const tools = await service.settings('GET', `/tools?agentId=${agentId}`);
  const patch = async (path: string, body: object) => {
    const { status } = await service.settings('PATCH', path, body);
    expect(status).toBe(200);
  };
  return {
    secret,
    toolId: String(tools.body.items[0].id),
    patchAgent: (body: object) => patch(`/agents/${agentId}`, body),
    patchTool: (id: string, body: object) => patch(`/tools/${id}`, body),
    configuration: async (): Promise<string> => {
      const [started] = dataOf(await (await visitor.start('hello')).log(1), 'turn.started');
      expect(started?.configuration).toMatch(/^[\w-]{16}$/);
      return started!.configuration!;
    },
  };
}

test('turns name the configuration that they run with: the same until something changes that a turn can see', async () => {
  const { toolId, patchAgent, patchTool, configuration } = await configured();
  const first = await configuration();
  expect(await configuration()).toBe(first);
  await patchAgent({ widget: { greeting: 'Hello there' }, retentionDays: 3 });
  expect(await configuration()).toBe(first);

  const seen = new Set([first]);
  const changed = async () => {
    const now = await configuration();
    expect(seen).not.toContain(now);
    seen.add(now);
  };
  await patchAgent({ instructions: 'Be brief.' });
  await changed();
  await patchTool(toolId, { description: 'Looks closely.' });
  await changed();
  await patchTool(toolId, { request: { headers: { 'x-secret': 'one' } } });
  await changed();
  await patchTool(toolId, { request: { headers: { 'x-secret': 'two' } } });
  await changed();
  await service.settings('DELETE', `/tools/${toolId}`);
  await changed();
});

test('settings that are set back are the configuration they were', async () => {
  const { patchAgent, configuration } = await configured();
  await patchAgent({ instructions: 'Be brief.' });
  const brief = await configuration();
  await patchAgent({ instructions: 'Be long.' });
  expect(await configuration()).not.toBe(brief);
  await patchAgent({ instructions: 'Be brief.' });
  expect(await configuration()).toBe(brief);
});

test('a server reads the same word as a visitor, and two agents never share one', async () => {
  const [one, other] = [await configured(), await configured()];
  const server = new Visitor(service.url, one.secret.key);
  const [started] = dataOf(await (await server.start('hello')).log(1), 'turn.started');
  expect(started?.configuration).toBe(await one.configuration());
  expect(await other.configuration()).not.toBe(started?.configuration);
});
