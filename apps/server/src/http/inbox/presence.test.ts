import { beforeEach, expect, test } from 'vitest';
import { type SignedInMember, signedInMember } from '../../testing/signed-in-member.ts';
import { type TestService, testService } from '../../testing/test-service.ts';
import { dataOf, Visitor } from '../../testing/visitor.ts';

const script = [
  { when: '^ask', steps: [{ call: 'ask_team', input: { question: 'Do we?' } }, { say: '{{result}}' }] },
  { steps: [{ say: 'The agent: {{input}}' }] },
];

let passedMs: number;
const clock = () => Date.now() + passedMs;
let service: TestService;
/** One more process on the same database, where the engine allows for it. */
let other: TestService;
let tenantId: string;
let visitor: Visitor;
let grace: SignedInMember;
let alan: SignedInMember;

beforeEach(async () => {
  passedMs = 0;
  service = await testService({}, { clock });
  const { stored } = service;
  other = process.env['TEST_STORE'] === 'postgres' ? await testService({}, { stored, clock }) : service;
  const created = async (path: string, body: object) => (await service.settings('POST', path, body)).body;
  tenantId = String((await created('/tenants', { name: 'Shop' })).id);
  const model = { provider: 'scripted', script };
  const { id: agentId } = await created('/agents', { tenantId, name: 'Ada', model, teamQuestionMinutes: 30 });
  const { key } = await created('/keys', { tenantId, agentId, kind: 'publishable' });
  visitor = new Visitor(other.url, key);
  grace = await signedInMember(service, { role: 'agent', tenantId, name: 'Grace' });
  alan = await signedInMember(service, { role: 'viewer', tenantId, name: 'Alan' });
});

const looksAt = (member: SignedInMember, host: TestService, conversationId: string | null) =>
  member.call(host, 'POST', '/inbox/presence', { tenantId, conversationId });

/** What a visitor who has written so many messages was told of the team’s absence. */
const awayIn = async (session: Awaited<ReturnType<Visitor['start']>>, turns: number) =>
  dataOf(await session.log(turns), 'team.away').map(({ reason, message }) => [reason, message]);

test('who has the inbox open, and what they look at, is known in every process until they stop saying so', async () => {
  const session = await visitor.start('Hello');
  const gracePresent = { id: grace.id, name: 'Grace', conversationId: session.id };
  expect((await looksAt(grace, service, session.id)).body).toEqual({ members: [gracePresent] });
  const alanPresent = { id: alan.id, name: 'Alan', conversationId: null };
  expect((await looksAt(alan, other, null)).body).toEqual({ members: [alanPresent, gracePresent] });
  passedMs += 15_000;
  expect((await looksAt(alan, other, null)).body).toEqual({ members: [alanPresent] });
  const stranger = await signedInMember(service, {
    role: 'owner',
    tenantId: (await service.settings('POST', '/tenants', { name: 'Another' })).body.id,
  });
  expect((await looksAt(stranger, service, session.id)).status).toBe(400);
});

test('nobody is shown at a conversation of another organisation', async () => {
  const session = await visitor.start('Hello');
  const another = (await service.settings('POST', '/tenants', { name: 'Another' })).body.id;
  const owner = await signedInMember(service, { role: 'owner', tenantId: another, name: 'Edith' });
  const body = { tenantId: another, conversationId: session.id };
  const answer = await owner.call(service, 'POST', '/inbox/presence', body);
  const members = [{ id: owner.id, name: 'Edith', conversationId: null }];
  expect([answer.status, answer.body]).toEqual([200, { members }]);
});

test('a visitor who waits for the team reads that nobody is there, where that is known and so', async () => {
  // A team that has never had the inbox open may answer by other ways.
  expect(await awayIn(await visitor.start('ask'), 1)).toEqual([]);
  await looksAt(alan, service, null);
  expect(await awayIn(await visitor.start('ask'), 1)).toEqual([]);
  await looksAt(grace, service, null);
  expect(await awayIn(await visitor.start('ask'), 1)).toEqual([]);
  passedMs += 15_000;
  expect(await awayIn(await visitor.start('ask'), 1)).toEqual([['nobody', null]]);
});

test('a visitor who writes to a person reads that nobody is there, until somebody is', async () => {
  await looksAt(grace, service, null);
  const session = await visitor.start('Hello');
  await session.log(1);
  expect((await grace.call(service, 'POST', `/conversations/${session.id}/take-over`)).status).toBe(200);
  passedMs += 15_000;
  await session.send({ message: 'Anybody?' });
  expect(await awayIn(session, 2)).toEqual([['nobody', null]]);
  await looksAt(grace, service, session.id);
  await session.send({ message: 'And now?' });
  expect(await awayIn(session, 3)).toEqual([['nobody', null]]);
});

test('outside of the hours, a visitor who writes to a person is told so only where nobody is there all the same', async () => {
  const team = { replies: [], hours: { timeZone: 'UTC' }, awayMessage: 'We are back on Monday.' };
  expect((await service.settings('PATCH', `/tenants/${tenantId}`, { team })).status).toBe(200);
  await looksAt(grace, service, null);
  const session = await visitor.start('Hello');
  await session.log(1);
  const at = `/conversations/${session.id}`;
  expect((await grace.call(service, 'POST', `${at}/take-over`)).status).toBe(200);
  const said = async (turns: number) =>
    dataOf(await session.log(turns), 'message.completed').map(({ author }) => author?.kind);
  await session.send({ message: 'Still there?' });
  await session.log(2);
  expect((await grace.call(service, 'POST', `${at}/messages`, { text: 'I am.' })).status).toBe(200);
  await session.send({ message: 'Good.' });
  expect(await said(4)).toEqual([undefined, 'team']);
  passedMs += 15_000;
  await session.send({ message: 'And now?' });
  expect(await said(5)).toEqual([undefined, 'team', 'agent']);
});
