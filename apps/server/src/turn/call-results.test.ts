import { historyOf } from '../store/contract/samples.ts';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { openToolEndpoint } from '../testing/tool-endpoint.ts';
import { Visitor, dataOf, said } from '../testing/visitor.ts';
import { createLogger } from '../logger.ts';
import { startService } from '../service.ts';
import { type TestStore, testStore } from '../testing/test-store.ts';
import type { Commit } from '../store/event-store.ts';
import type { Store } from '../store/store.ts';
import { newAgent } from '../testing/new-agent.ts';

const script = [
  {
    when: 'look',
    steps: [
      ...Array.from({ length: 20 }, (_, index) => ({ call: 'look', input: { name: `call-${index}` } })),
      { call: 'refund', input: { name: 'A-17' } },
      { say: 'Then {{result}}.' },
    ],
  },
  { steps: [{ say: 'Heard {{input}}' }] },
];

/** A service whose commits are seen, with an agent of that script; `again` starts it on the same store. */
async function watched() {
  const endpoint = await openToolEndpoint();
  onTestFinished(() => endpoint.close());
  const stored = await testStore();
  const commits: Commit[] = [];
  const start = async () => {
    const plain = await stored.open();
    const store: Store = {
      ...plain,
      async commit(lease, commit) {
        commits.push(commit);
        return plain.commit(lease, commit);
      },
    };
    const config = readConfig({ ...stored.environment, PORT: '0', EGRESS_ALLOW: endpoint.host });
    const service = await startService(config, createLogger('silent'), { store });
    onTestFinished(() => service.stop());
    return { service, store: plain };
  };
  const { service, store } = await start();
  const tools = [
    { name: 'look', approval: 'never' },
    { name: 'refund', approval: 'always' },
  ].map((tool) => ({
    ...tool,
    visibility: 'full',
    parameters: { type: 'object', properties: { name: { type: 'string' } } },
    request: { method: 'POST', url: `${endpoint.url}/${tool.name}/{{name}}` },
  }));
  const { key } = await newAgent(service, script, tools);
  const session = await new Visitor(service.url, key).start('look');
  return { endpoint, stored, commits, session, key, store, stop: () => service.stop(), start };
}

const count = (text: string, part: string) => text.split(part).length - 1;

test('the result of a call is written once for the log, once while its step is open and once for good', async () => {
  const { commits, session } = await watched();
  await session.log(1);
  await session.send({ message: 'wait' });
  await session.log(2);
  const [request] = dataOf(await session.log(2), 'input.requested').flatMap(({ requests }) => requests);
  await session.send({ inputResponses: [{ requestId: request?.requestId, optionId: 'approve' }] });
  const events = await session.log(3);
  expect(dataOf(events, 'action.result')).toHaveLength(21);
  expect(said(events)).toEqual([expect.stringMatching(/^Then .*refund.*\.$/), 'Heard wait']);

  const written = (part: keyof Commit) =>
    commits.map((commit) => JSON.stringify(commit[part] ?? null)).join('\n');
  for (let index = 0; index < 20; index += 1) {
    const result = `/look/call-${index}"`;
    expect(count(written('state'), result)).toBe(0);
    expect(count(written('results'), result)).toBe(1);
    expect(count(written('history'), result)).toBe(1);
    expect(count(written('events'), result)).toBe(1);
  }
});

test('results outlive the process while their step waits, and go with it', async () => {
  const { session, key, start, stop, endpoint } = await watched();
  const before = await session.log(1);
  await stop();
  const { service, store } = await start();
  const callIds = dataOf(before, 'action.result').map(({ result }) => result.callId);
  expect(callIds).toHaveLength(20);
  for (const callId of callIds) expect(await store.getCallResult(session.id, callId)).not.toBeNull();

  const calls = endpoint.calls.length;
  const visitor = new Visitor(service.url, key);
  await visitor.post(`/${session.id}`, { continuationToken: session.token, message: 'yes' });
  const reader = await visitor.follow(session.id);
  expect(said(await reader.boundaries(2))).toHaveLength(1);
  reader.close();
  expect(endpoint.calls.length - calls).toBe(1);
  const history = JSON.stringify(await historyOf(store, session.id));
  for (let index = 0; index < 20; index += 1) expect(count(history, `/look/call-${index}"`)).toBe(1);
  for (const callId of callIds) expect(await store.getCallResult(session.id, callId)).toBeNull();
});

/** The state of a session that waits as an early version stored it: unversioned, results inside, no fingerprints. */
async function asEarlierVersion({ sql }: TestStore, sessionId: string): Promise<void> {
  const [session] = await sql('SELECT state FROM sessions WHERE id = ?', sessionId);
  const {
    version: _version,
    mode: _mode,
    hold: _hold,
    phase: { step },
    ...current
  } = JSON.parse(String(session?.['state']));
  const rows = await sql('SELECT call_id, result FROM call_results');
  const calls = step.calls.map(
    ({ fingerprint: _digest, ...call }: { fingerprint: string; callId: string }) => {
      const row = rows.find(({ call_id: callId }) => callId === call.callId);
      return row ? { ...call, result: JSON.parse(String(row['result'])) } : call;
    },
  );
  const { clientCallIds: delegated, requests, unattended: _unattended, ...rest } = step;
  const asked = requests.map(({ request }: { request: unknown }) => ({ request, answer: null }));
  const { canRequestInput: mayAsk, clearedUpTo: clearedThrough, ...others } = current;
  const earlier = {
    ...others,
    mayAsk,
    clearedThrough,
    turn: null,
    parked: { ...rest, calls, requests: asked, delegated },
  };
  await sql('UPDATE sessions SET state = ? WHERE id = ?', JSON.stringify(earlier), sessionId);
  await sql('DELETE FROM call_results');
}

test('a step that waits since an earlier version keeps its results; what it showed is asked for anew, not run', async () => {
  const { session, key, start, stop, endpoint, stored } = await watched();
  await session.log(1);
  await stop();
  await asEarlierVersion(stored, session.id);
  const { service, store } = await start();
  const calls = endpoint.calls.length;
  const visitor = new Visitor(service.url, key);
  await visitor.post(`/${session.id}`, { continuationToken: session.token, message: 'yes' });
  const reader = await visitor.follow(session.id);
  const events = await reader.boundaries(2);
  reader.close();
  expect(dataOf(events, 'action.result').at(-1)).toMatchObject({ error: { code: 'TOOL_CHANGED' } });
  expect(endpoint.calls).toHaveLength(calls);
  const history = JSON.stringify(await historyOf(store, session.id));
  for (let index = 0; index < 20; index += 1) expect(count(history, `/look/call-${index}"`)).toBe(1);
});
