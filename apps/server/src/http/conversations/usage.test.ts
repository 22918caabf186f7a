import { consoleHeader } from '@parley/protocol/paths';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { consolePassword } from '../../testing/console-browser.ts';
import { provision, testService } from '../../testing/test-service.ts';
import { type SharedService, type TestAgent, sharedService } from '../../testing/visitor.ts';

let service: SharedService;
let agent: TestAgent;
beforeAll(async () => {
  service = await sharedService(() => Date.now());
  const script = [{ when: 'fail', steps: [{ fail: 'No.' }] }, { steps: [{ say: '{{input}}' }] }];
  agent = await service.agent(script, { agent: { name: '=Ada, "the" agent' } });
});

// What lasts from one day into the next would be counted on two.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const usage = (query: string) => service.settings('GET', `/usage?${query}`);
const today = () => new Date().toISOString().slice(0, 10);

test('usage is added up by day and agent, and costs what the tenant says, past turns included', async () => {
  for (const message of ['Hello', 'fail']) await (await agent.visitor.start(message)).log(1);
  const session = await agent.visitor.start('Once more');
  await session.log(1);
  await agent.visitor.post(`/${session.id}/feedback`, { turnId: 'turn_0', rating: 'up' });
  const of = `tenantId=${agent.tenantId}`;
  const { body } = await usage(of);
  const { inputTokens, outputTokens } = body.days[0];
  expect(body).toEqual({
    from: expect.any(String),
    to: today(),
    currency: null,
    days: [
      {
        day: today(),
        agentId: agent.agentId,
        turns: 3,
        completed: 2,
        failed: 1,
        cancelled: 0,
        inputTokens: expect.any(Number),
        outputTokens: expect.any(Number),
        cost: null,
        unpricedTokens: inputTokens + outputTokens,
        firstDeltaMs: { p50: expect.any(Number), p95: expect.any(Number) },
        wholeTurnMs: { p50: expect.any(Number), p95: expect.any(Number) },
        failures: [{ cause: expect.stringMatching(/^[A-Z_]+$/), count: 1 }],
        approvals: 0,
        unansweredQuestions: 0,
        ratedUp: 1,
        ratedDown: 0,
      },
    ],
    together: [expect.objectContaining({ day: today() })],
    models: [{ modelId: 'scripted', tokens: inputTokens + outputTokens, priced: false }],
  });
  expect(Date.parse(body.to) - Date.parse(body.from)).toBe(29 * 86_400_000);

  const prices = {
    currency: 'EUR',
    models: [{ modelId: 'scripted', inputPerMillion: 1_000, outputPerMillion: 2_000 }],
  };
  const priced = await service.settings('PATCH', `/tenants/${agent.tenantId}`, { prices });
  expect(priced.body.prices).toEqual(prices);
  const reckoned = (await usage(`${of}&agentId=${agent.agentId}`)).body;
  expect(reckoned).toMatchObject({
    currency: 'EUR',
    days: [{ unpricedTokens: 0 }],
    models: [{ priced: true }],
  });
  expect(reckoned.days[0].cost).toBeCloseTo((inputTokens + 2 * outputTokens) / 1_000, 9);
  const turns = (await service.settings('GET', `/conversations/${session.id}/turns`)).body.items;
  expect(turns[0].cost).toBeCloseTo((turns[0].inputTokens + 2 * turns[0].outputTokens) / 1_000, 9);

  const csv = await usage(`${of}&format=csv`);
  expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="usage-.*\.csv"$/);
  const [head, line, end] = String(csv.body).split('\r\n');
  expect(head).toMatch(/^day,agent_id,agent,turns,completed,failed,/);
  expect(line).toContain(`${today()},${agent.agentId},"'=Ada, ""the"" agent",3,2,1,0,`);
  expect(end).toBe('');
  await service.settings('PATCH', `/tenants/${agent.tenantId}`, { prices: null });
  expect((await usage(of)).body.days[0].cost).toBeNull();
});

test('a range that is too long, or of no days, is refused, and another tenant’s usage is not there', async () => {
  const of = `tenantId=${agent.tenantId}`;
  const refusals = [
    'from=2026-05-01&to=2026-04-30',
    'from=2026-01-01&to=2026-04-03',
    'from=today',
    'format=xml',
  ];
  for (const query of refusals) expect((await usage(`${of}&${query}`)).status, query).toBe(400);
  expect((await usage(`${of}&from=2026-01-01&to=2026-04-02`)).body).toMatchObject({ days: [], models: [] });
  expect((await usage('')).status).toBe(400);
  const other = await service.agent([{ steps: [{ say: 'x' }] }]);
  expect((await usage(`tenantId=${other.tenantId}&agentId=${agent.agentId}`)).status).toBe(404);
  expect((await usage(`tenantId=${other.tenantId}`)).body.days).toEqual([]);
});

test('the table that a member downloads says that it is in UTF-8, and that of a program does not', async () => {
  const own = await testService();
  const { tenantId } = await provision(own);
  const { token } = (await own.settings('POST', '/invitations', { role: 'viewer', tenantId })).body;
  const joining = { token, name: 'Grace', password: consolePassword };
  const joined = await own.call('/api/v1/settings/invitations/accept', {
    method: 'POST',
    headers: { [consoleHeader]: '1', 'content-type': 'application/json' },
    body: JSON.stringify(joining),
  });
  const cookies = joined.headers.getSetCookie().map((each) => each.split(';')[0]);
  const first = async (headers: Record<string, string>) => {
    const address = `${own.url}/api/v1/settings/usage?tenantId=${tenantId}&format=csv`;
    const response = await fetch(address, { headers });
    return Buffer.from(await response.arrayBuffer()).subarray(0, 3);
  };
  expect(await first({ cookie: cookies.join('; ') })).toEqual(Buffer.from('\ufeff'));
  expect(await first({ authorization: `Bearer ${own.adminToken}` })).toEqual(Buffer.from('day'));
});
