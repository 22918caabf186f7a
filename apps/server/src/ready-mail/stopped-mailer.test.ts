import { expect, onTestFinished, test, vi } from 'vitest';
import { openMailServer } from '../testing/mail-server.ts';
import { testService } from '../testing/test-service.ts';
import { Visitor } from '../testing/visitor.ts';

let isSlow = true;
let connections = 0;
const { port, received } = await openMailServer({
  // It lets those wait that it does not know.
  onConnect: (_session, greet) => {
    connections += 1;
    if (!isSlow) greet();
  },
});

test('what a slow mail server was not given when the process stops, the next one sends', async () => {
  // What is due is looked for when the test says so.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  let ahead = 0;
  const clock = () => Date.now() + ahead;
  const env = { EGRESS_ALLOW: `127.0.0.1:${port}` };
  const service = await testService(env, { clock });
  const created = async (path: string, body: unknown) => (await service.settings('POST', path, body)).body;
  const { id: tenantId } = await created('/tenants', { name: 'Shop' });
  const script = [{ steps: [{ call: 'ask_team', input: { question: 'Really?' } }, { say: 'Yes.' }] }];
  const { id: agentId } = await created('/agents', {
    tenantId,
    name: 'Ada',
    model: { provider: 'scripted', script },
    teamQuestionMinutes: 1_440,
    readyMail: true,
  });
  isSlow = false;
  const server = { host: '127.0.0.1', port, security: 'none', from: 'ada@shop.example', recipients: ['*'] };
  await created('/connections', { agentId, kind: 'mail', name: 'post', fromName: 'Shop', ...server });
  isSlow = true;
  const { key } = await created('/keys', {
    tenantId,
    agentId,
    kind: 'publishable',
    allowMissingOrigin: true,
  });
  const session = await new Visitor(service.url, String(key)).start('Hello');
  await session.log(1);
  const about = { continuationToken: session.token, address: 'ada@example.com' };
  expect((await session.visitor.post(`/${session.id}/ready-mail`, about)).status).toBe(202);
  const at = `/conversations/${session.id}`;
  const { questions } = (await service.settings('GET', `${at}/thread`)).body;
  const answer = { requestId: questions[0].requestId, text: 'Yes' };
  expect((await service.settings('POST', `${at}/answers`, answer)).status).toBe(200);
  await session.log(2);

  // It was refused before: this attempt is the last one.
  await service.stored.sql('UPDATE ready_mails SET attempts = 3 RETURNING id');
  const sweep = () => {
    ahead += 601_000;
    vi.advanceTimersByTime(2_000);
  };
  const before = connections;
  await expect
    .poll(() => {
      sweep();
      return connections;
    })
    .toBe(before + 1);
  await service.stop();
  isSlow = false;
  await testService(env, { stored: service.stored, clock });
  await expect
    .poll(() => {
      sweep();
      return received.map(({ subject }) => subject);
    })
    .toEqual(['Ada has answered']);
});
