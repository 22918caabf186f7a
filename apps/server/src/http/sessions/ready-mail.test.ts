import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { openHeldEndpoint } from '../../testing/held-endpoint.ts';
import { signedInMember } from '../../testing/signed-in-member.ts';
import { testService } from '../../testing/test-service.ts';
import { dataOf, Visitor, VisitorSession } from '../../testing/visitor.ts';

const received: ParsedMail[] = [];
/** To whom each mail was handed over, also those that were not taken. */
const offered: string[] = [];
const server = new SMTPServer({
  authOptional: true,
  onData: (stream, { id }, done) => {
    void simpleParser(stream).then((mail) => {
      const to = [mail.to].flat()[0]?.text ?? '';
      offered.push(to);
      const isFirst = offered.filter((each) => each === to).length === 1;
      if (to.startsWith('busy') && isFirst)
        return done(Object.assign(new Error('Later'), { responseCode: 451 }));
      received.push(mail);
      // Taken, and nobody is told.
      const silent = to.startsWith('silent') && [...server.connections].find((each) => each.id === id);
      if (silent) silent.close();
      else done();
    });
  },
});
server.listen(0, '127.0.0.1');
await once(server.server, 'listening');
const { port } = server.server.address() as AddressInfo;
afterAll(() => server.close());

const origin = 'https://shop.example';
const script = [
  { when: '^slow', steps: [{ call: 'slow', input: {} }, { say: 'It costs canary euros.' }] },
  { when: '^ask', steps: [{ call: 'ask_team', input: { question: 'Really?' } }, { say: 'Yes.' }] },
  { steps: [{ say: 'Heard {{input}}' }] },
];

test('a visitor is written to once when a long turn is over, also after a restart, and no mailbox is filled', async () => {
  // What is due is looked for when the test says so.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const endpoint = await openHeldEndpoint();
  onTestFinished(() => endpoint.close());
  const env = { EGRESS_ALLOW: `${endpoint.host},127.0.0.1:${port}` };
  // Mails are counted by the day, which begins here and is not to end on the way.
  let ahead = 86_400_000 - (Date.now() % 86_400_000);
  const clock = () => Date.now() + ahead;
  const service = await testService(env, { clock });
  const created = async (path: string, body: unknown) => {
    const answer = await service.settings('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const { id: tenantId } = await created('/tenants', { name: 'Shop' });
  const grace = await signedInMember(service, { role: 'agent', tenantId, name: 'Grace' });
  const model = { provider: 'scripted', script };
  const { id: agentId } = await created('/agents', {
    tenantId,
    name: 'Ada\r\nBcc: x',
    model,
    teamQuestionMinutes: 1_440,
  });
  const host = { host: '127.0.0.1', port, security: 'none', from: 'ada@shop.example' };
  await created('/connections', {
    agentId,
    kind: 'mail',
    name: 'post',
    fromName: 'Shop',
    recipients: ['@shop.example'],
    ...host,
  });
  await created('/tools', {
    agentId,
    kind: 'http',
    name: 'slow',
    description: 'Takes long',
    parameters: { type: 'object' },
    request: { method: 'POST', url: `${endpoint.url}/slow` },
  });
  const { key } = await created('/keys', {
    tenantId,
    agentId,
    kind: 'publishable',
    allowedOrigins: [origin],
  });
  const { key: everywhere } = await created('/keys', {
    tenantId,
    agentId,
    kind: 'publishable',
    allowedOrigins: ['*', 'https://*.shop.example'],
  });
  const { key: secret } = await created('/keys', { tenantId, agentId, kind: 'secret' });
  const visitor = new Visitor(service.url, String(key));
  const ask = (
    { visitor: by, id, token }: VisitorSession,
    address: string,
    more: object = {},
    from = origin,
  ) => by.post(`/${id}/ready-mail`, { continuationToken: token, address, ...more }, { origin: from });
  const outcome = async (asked: ReturnType<typeof ask>) => {
    const { status, body } = await asked;
    return [status, body.status];
  };
  const config = () => service.call(`/v1/config?key=${String(key)}`);

  const slow = await visitor.start('slow, please', {});
  const call = await endpoint.call('/slow');
  expect((await config()).body.readyMail).toBeUndefined();
  expect(await outcome(ask(slow, 'ada@example.com'))).toEqual([200, 'off']);
  await service.settings('PATCH', `/agents/${agentId}`, { readyMail: true });
  await expect.poll(async () => (await config()).body.readyMail).toBe(true);

  // Nobody is asked for a page: it may read like a sentence.
  const page = `${origin}/canary${'/a'.repeat(90)}/!`;
  expect((await ask(slow, 'ada@example.com, eve@example.com')).status).toBe(400);
  expect(await outcome(ask(slow, 'wrong+tag@example.com'))).toEqual([202, 'accepted']);
  expect(await outcome(ask(slow, 'ada+tag@gmail.com', { language: 'de-AT', page }))).toEqual([
    202,
    'accepted',
  ]);
  const idle = await visitor.start('Hello');
  await idle.log(1);
  expect(await outcome(ask(idle, 'ada@example.com'))).toEqual([200, 'no_active_turn']);
  const anybody = new Visitor(service.url, String(everywhere));
  const other = await anybody.start('ask');
  expect(dataOf(await other.log(1), 'team.asked')).toHaveLength(1);
  expect((await ask(new VisitorSession(visitor, slow.id, other.token), 'x@example.com')).status).toBe(404);

  const texts = () => received.map(({ text }) => text?.trim().split('\n')[0]);
  const sweep = () => {
    ahead += 61_000;
    vi.advanceTimersByTime(2_000);
    return texts();
  };
  call.answer('done');
  await slow.log(1);
  await expect.poll(sweep).toEqual(['Ada Bcc: x hat geantwortet']);
  const [mail] = received;
  expect(mail?.subject).toBe('Ada Bcc: x hat geantwortet');
  expect([mail?.to].flat()[0]?.text).toBe('ada+tag@gmail.com');
  expect(mail?.text).toContain(`\n${origin}\n`);
  expect([...mail!.headers.keys()]).not.toContain('bcc');
  expect(mail?.headers.get('auto-submitted')).toBe('auto-generated');
  expect(mail?.text).not.toContain('canary');

  // The team's answer makes the same request go on: nothing is written before, and all of it outlives the process.
  expect(await outcome(ask(other, 'busy@example.com', { page }, 'https://any.shop.example'))).toEqual([
    202,
    'accepted',
  ]);
  const anywhere = await anybody.start('ask');
  await anywhere.log(1);
  expect(await outcome(ask(anywhere, 'silent@example.com', { page }, 'https://*.shop.example'))).toEqual([
    202,
    'accepted',
  ]);
  const given = await visitor.start('ask');
  await given.log(1);
  // However often one is asked for: what is sent counts for the mailbox.
  for (const user of ['ada', 'Ada', 'ADA', 'a.da', 'a.d.a'])
    expect(await outcome(ask(given, `${user}@googlemail.com`))).toEqual([202, 'accepted']);
  expect((await ask(given, 'ada@example.com')).body).toMatchObject({ code: 'QUOTA_EXCEEDED' });
  const [third, fourth] = [await visitor.start('ask'), await visitor.start('ask')];
  for (const session of [third, fourth]) {
    await session.log(1);
    expect(await outcome(ask(session, 'ada@GMAIL.com'))).toEqual([202, 'accepted']);
  }
  await service.stop();

  const again = await testService(env, { stored: service.stored, clock });
  const program = new Visitor(again.url, String(secret));
  const answer = async ({ id }: VisitorSession, text: string) => {
    const at = `/conversations/${id}`;
    const { body: thread } = await grace.call(again, 'GET', `${at}/thread`);
    const { requestId } = thread.questions[0];
    expect((await grace.call(again, 'POST', `${at}/answers`, { requestId, text })).status).toBe(200);
    // What runs while the clock is put forward would lose its lease.
    await logOf(program, id, 2);
  };
  for (const session of [other, anywhere, given, third, fourth]) await answer(session, 'Yes');
  await expect.poll(sweep).toHaveLength(5);
  await expect.poll(() => (sweep(), again.log.join(''))).toContain('there were enough today');
  const [, ...later] = received;
  for (const { to, text } of later) {
    expect(text).toContain('Ada Bcc: x has answered');
    if (!/gmail|googlemail/i.test([to].flat()[0]!.text)) expect(text).not.toContain('http');
  }
  const others = offered.filter((to) => !/^a\.?d\.?a@/i.test(to));
  expect(offered.length - others.length).toBe(2);
  expect(others.toSorted()).toEqual([
    'ada+tag@gmail.com',
    'busy@example.com',
    'busy@example.com',
    'silent@example.com',
  ]);
  const log = await logOf(program, slow.id, 1);
  expect(`${log}${service.log.join('')}${again.log.join('')}`).not.toMatch(
    /ada\+tag|busy@|silent@|g(oogle)?mail\.com/i,
  );
});

/** All that the log has of a session that has waited this many times. */
async function logOf(program: Visitor, id: string, boundaries: number): Promise<string> {
  const reader = await program.follow(id, '?soFar=0');
  await reader.boundaries(boundaries);
  reader.close();
  return reader.text;
}
