import assert from 'node:assert/strict';
import type { MailState } from '@parley/protocol/settings/mail-connection';
import { type RunningServer, createAgent } from '../../server.ts';
import { from, guest, location, minutes, note, timeZone, title } from './desk.ts';
import type { MailServer } from './run-mail-server.ts';

const script = [
  {
    when: '^free',
    steps: [{ call: 'desk__free_slots', input: { days: 2 } }, { say: '{{result}}' }],
  },
  {
    when: '^book (\\S+)',
    steps: [
      { call: 'desk__book', input: { start: '{{1}}', name: guest.name, email: guest.address, note } },
      { say: '{{result}}' },
    ],
  },
  {
    when: '^move (\\S+) to (\\S+)',
    steps: [{ call: 'desk__move', input: { appointment: '{{1}}', start: '{{2}}' } }, { say: '{{result}}' }],
  },
  {
    when: '^cancel (\\S+)',
    steps: [{ call: 'desk__cancel', input: { appointment: '{{1}}' } }, { say: '{{result}}' }],
  },
];

/** An agent with a calendar, whose invitations leave by this mail server once it has the right password. */
export async function openDesk(
  server: RunningServer,
  { port, user, password }: MailServer,
): Promise<{ readonly key: string; readonly feedUrl: string }> {
  const { agentId, publishableKey: key } = await createAgent(server, script);
  const refused = await server.settings<MailState & { id: string }>('POST', '/connections', {
    agentId,
    kind: 'mail',
    name: 'post',
    host: 'localhost',
    port,
    security: 'starttls',
    user,
    password: 'wrong',
    from: from.address,
    fromName: from.name,
    recipients: ['*'],
  });
  assert.equal(refused.problem, 'The mail server does not take this user and password. It answered 535.');
  const path = `/connections/${refused.id}`;
  const { status, problem } = await server.settings<MailState>('PATCH', path, { password });
  assert.deepEqual({ status, problem }, { status: 'connected', problem: null });
  const { feedUrl } = await server.settings<{ feedUrl: string }>('POST', '/connections', {
    agentId,
    kind: 'calendar',
    name: 'desk',
    timeZone,
    hours: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }],
    minutes,
    title,
    location,
  });
  return { key, feedUrl };
}
