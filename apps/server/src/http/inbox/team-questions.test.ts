import { expect, onTestFinished, test, vi } from 'vitest';
import { signedInMember } from '../../testing/signed-in-member.ts';
import { type TestService, testService } from '../../testing/test-service.ts';
import { dataOf, said, Visitor, VisitorSession } from '../../testing/visitor.ts';

const canary = 'Does 4711 ship to Norway?';
const ask = { call: 'ask_team', input: { question: canary } };
const script = [
  { when: '^twice', steps: [ask, { call: 'ask_team', input: { question: 'Why?' } }, { say: '{{result}}' }] },
  { when: '^ask', steps: [{ say: 'Let me see.' }, ask, { say: 'It says {{result}}.' }] },
  { when: '^insist', steps: [ask, { say: 'Once more.' }, ask, { say: 'It says {{result}}.' }] },
  { steps: [{ say: 'Heard {{input}}.' }] },
];
/** Of the process and of its store: what is due is looked for by the store’s. */
const clock = () => Date.now();

test('the agent asks the team, waits through a restart, and goes on with the first answer', async () => {
  const service = await testService({}, { clock });
  const created = async (path: string, body: unknown) => {
    const answer = await service.settings('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const { id: tenantId } = await created('/tenants', { name: 'Shop' });
  const model = { provider: 'scripted', script };
  const { id: agentId } = await created('/agents', { tenantId, name: 'Ada', model });
  const key = async (kind: string) => String((await created('/keys', { tenantId, agentId, kind })).key);
  const [publishable, secret] = [await key('publishable'), await key('secret')];
  const grace = await signedInMember(service, { role: 'agent', tenantId, name: 'Grace' });
  const visitor = new Visitor(service.url, publishable);

  const before = await visitor.start('ask');
  expect(said(await before.log(1)).join(' ')).toContain('I cannot use ask_team here.');
  await service.settings('PATCH', `/agents/${agentId}`, { teamQuestionMinutes: 2 });
  const chat = await service.call('/api/v1/agent/chat', {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'c', text: 'ask' }),
  });
  expect(chat.body.text).toContain('I cannot use ask_team here.');

  const session = await visitor.start('ask');
  const [asked] = dataOf(await session.log(1), 'team.asked');
  expect(asked).toMatchObject({ question: null });
  const at = `/conversations/${session.id}`;
  // Neither a text nor a response of the visitor answers it or passes it over.
  await session.send({ inputResponses: [{ requestId: asked?.requestId, text: 'yes' }] });
  await session.send({ message: 'Take your time' });
  expect(dataOf(await session.log(3), 'team.answered')).toEqual([]);
  const waiting = await grace.call(service, 'GET', '/inbox?view=waiting');
  expect(waiting.body.items).toMatchObject([{ id: session.id, holder: null }]);

  await service.stop();
  const again: TestService = await testService({}, { stored: service.stored, clock });
  const { body: thread } = await grace.call(again, 'GET', `${at}/thread`);
  expect(thread).toMatchObject({
    approvals: [],
    questions: [{ requestId: asked?.requestId, question: canary, expiresAt: asked?.expiresAt }],
  });
  const answers = ['We do', 'We do not'].map((text) =>
    grace.call(again, 'POST', `${at}/answers`, { requestId: asked?.requestId, text }),
  );
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409]);
  const back = new VisitorSession(new Visitor(again.url, publishable), session.id, session.token);
  const log = await back.log(4);
  const told = statuses[0] === 200 ? 'We do' : 'We do not';
  expect(said(log)).toEqual([
    'Let me see.',
    `It says {"status":"answered","by":"Grace","answer":"${told}"}.`,
    'Heard Take your time.',
  ]);
  expect(dataOf(log, 'team.answered')).toMatchObject([{ outcome: 'answered', answer: null, author: null }]);
  expect(JSON.stringify(log)).not.toContain(canary);
  const program = new VisitorSession(new Visitor(again.url, secret), session.id, session.token);
  expect(JSON.stringify(await program.log(4))).not.toContain(canary);
  expect((await grace.call(again, 'GET', `${at}/thread`)).body).toMatchObject({
    questions: [],
    waitingSince: null,
  });

  // Of two questions in one step one is asked.
  const twice = await new Visitor(again.url, publishable).start('twice');
  const [first, ...others] = dataOf(await twice.log(1), 'team.asked');
  expect(others).toEqual([]);
  // Who has nothing to answer is not told to: only so many messages wait for the team.
  for (let sent = 1; sent <= 11; sent += 1) {
    await twice.log(sent);
    await twice.send({ message: `message ${sent}` });
  }
  const [notHeld] = dataOf(await twice.log(12), 'turn.failed');
  expect(notHeld).toMatchObject({
    turnId: 'turn_11',
    message: expect.stringMatching(/^The team is being asked/),
  });
  const answer = { requestId: first?.requestId, text: 'Yes' };
  const ofOther = await grace.call(again, 'POST', `/conversations/${session.id}/answers`, answer);
  expect(ofOther.status).toBe(409);
  await grace.call(again, 'POST', `/conversations/${twice.id}/take-over`);
  const reader = await twice.follow('?soFar=0');
  const taken = await reader.until(({ events }) => dataOf(events, 'team.answered').length > 0);
  reader.close();
  expect(dataOf(taken, 'team.answered')).toMatchObject([{ outcome: 'withdrawn' }]);

  const insisting = await new Visitor(again.url, publishable).start('insist');
  await insisting.log(1);
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(Date.now() + 121_000);
  const late = await insisting.log(2);
  expect(dataOf(late, 'team.answered')).toMatchObject([{ outcome: 'expired' }]);
  expect(said(late)[0]).toBe('Once more.');
  // Until the visitor writes again it is not asked once more.
  expect(said(late)[1]).toContain('not-asked');
});
