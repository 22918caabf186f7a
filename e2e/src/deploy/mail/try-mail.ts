import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningServer, startServer } from '../../server.ts';
import { issueCertificate } from '../local-authority.ts';
import { expectFeed } from './expect-feed.ts';
import { expectInvitation } from './expect-invitation.ts';
import type { Appointment } from './expected-event.ts';
import { openDesk } from './open-desk.ts';
import { readFeed } from './read-feed.ts';
import { type MailServer, runMailServer } from './run-mail-server.ts';
import { startVisitor } from './start-visitor.ts';

/** An appointment goes to programs of Debian, by mail and by its feed, as it is booked, moved and cancelled. */
export async function tryMail(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-mail-'));
  try {
    const certificate = issueCertificate(folder);
    const mailServer = await runMailServer(certificate);
    try {
      const server = await startServer({
        environment: {
          EGRESS_ALLOW: `localhost:${mailServer.port}`,
          NODE_EXTRA_CA_CERTS: certificate.authority,
          // A time that is taken as the machine's is wrong here, whatever zone the machine is in.
          TZ: 'America/St_Johns',
        },
      });
      try {
        await book(server, mailServer);
      } finally {
        await server.stop();
      }
    } finally {
      await mailServer.stop();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function book(server: RunningServer, mailServer: MailServer): Promise<void> {
  const { key, feedUrl } = await openDesk(server, mailServer);
  const { visitor, answer } = await startVisitor(server.url, key, 'free');
  // The first ones may be too soon by the time that they are booked.
  const [, , first = '', second = ''] = (JSON.parse(answer) as { slots: string[] }).slots;
  expectFeed(readFeed(feedUrl), []);

  /** Says it, approves it, and has the result, once the mail server has taken what it says was sent. */
  async function approved(message: string) {
    await visitor.say(message);
    const said = await visitor.approve();
    const result = JSON.parse(said) as { appointment?: string; invitation: string };
    assert.equal(result.invitation, 'Sent to zoe@example.com.', said);
    return { ...result, mail: await mailServer.nextMail() };
  }

  const { appointment: uid = '', mail: invitation } = await approved(`book ${first}`);
  const booked: Appointment = { uid, slot: first, sequence: 0, status: 'CONFIRMED' };
  expectInvitation(invitation, booked, 'REQUEST');
  expectFeed(readFeed(feedUrl), [booked]);
  console.log(`  booked: aiosmtpd takes the invitation by STARTTLS and password, and the feed has ${first}`);

  const { mail: movement } = await approved(`move ${uid} to ${second}`);
  const moved: Appointment = { ...booked, slot: second, sequence: 1 };
  expectInvitation(movement, moved, 'REQUEST');
  expectFeed(readFeed(feedUrl), [moved]);
  console.log(`  moved: both have ${second}, in sequence after the first`);

  const { mail: cancellation } = await approved(`cancel ${uid}`);
  expectInvitation(cancellation, { ...moved, sequence: 2, status: 'CANCELLED' }, 'CANCEL');
  expectFeed(readFeed(feedUrl), []);
  console.log('  cancelled: the mail takes it back, and the feed is without it');
}
