import { expect, onTestFinished, test } from 'vitest';
import { seed } from '../store/contract/settings.ts';
import type { ConnectionRecord } from '../store/settings-store.ts';
import { listedTool } from '../tool/mcp/tool-definition.ts';
import { createRedactor } from '../tool/redact.ts';
import { testStore } from '../testing/test-store.ts';
import { saveFound, saveState } from './connection-reports.ts';

async function connected(config: object) {
  const store = await (await testStore()).open();
  onTestFinished(() => store.close());
  await seed(store);
  const { connections } = store.settings;
  const change = async (fields: Partial<Pick<ConnectionRecord, 'config' | 'secrets' | 'name'>>) =>
    (await connections.update('connection_1', fields))!;
  const record = await change({ config });
  return { connections, record, change, state: async () => (await connections.get('connection_1'))?.state };
}

const url = 'https://backend.composio.example/mcp';
const found = { listing: { server: { name: 'one', version: '1' }, tools: [], omitted: null } };

test('what one toolkit has is not shown as what another has that is chosen meanwhile', async () => {
  const { connections, record, change, state } = await connected({ url, toolkit: 'gmail' });
  const asked = { id: record.id, url, signIn: 'none' as const, toolkit: 'gmail' };
  await change({ config: { url, toolkit: 'slack' } });
  await saveFound(connections, asked, found);
  expect(await state()).toEqual(record.state);
  await saveFound(connections, { ...asked, toolkit: 'slack' }, found);
  expect(await state()).toMatchObject({ status: 'connected' });
});

test('a list is no news for being in another order', async () => {
  const { connections, record } = await connected({ url });
  const asked = { id: record.id, url, signIn: 'none' as const };
  const tools = ['b', 'a', 'c'].map((name) =>
    listedTool({ name, inputSchema: { type: 'object' } }, createRedactor({}, [])),
  );
  const listing = (order: readonly number[]) => ({
    listing: { ...found.listing, tools: order.map((index) => tools[index]!) },
  });
  let writes = 0;
  const counting: typeof connections = {
    ...connections,
    update: (...change) => {
      writes += 1;
      return connections.update(...change);
    },
  };
  for (const order of [
    [0, 1, 2],
    [2, 0, 1],
    [1, 2, 0],
    [0, 1, 2],
  ])
    await saveFound(counting, asked, listing(order));
  expect(writes).toBe(1);
  await saveFound(counting, asked, listing([0, 1]));
  expect(writes).toBe(2);
});

test('that a server lets the service in says nothing of one, or of a password, that is entered meanwhile', async () => {
  const { connections, record, change, state } = await connected({ host: 'smtp.example.com' });
  const letIn = { status: 'connected' as const, since: record.createdAt, problem: null };
  await change({ config: { host: 'smtp.example.org' } });
  await saveState(connections, record, letIn);
  const again = await change({ secrets: 'another' });
  await saveState(connections, { ...again, secrets: 'before' }, letIn);
  expect(await state()).toEqual(record.state);
  await saveState(connections, await change({ name: 'post' }), letIn);
  expect(await state()).toEqual(letIn);
});
