import { afterEach, beforeEach, describe } from 'vitest';
import type { Clock } from './clock.ts';
import { testAppointments } from './contract/appointments.ts';
import { testCommands } from './contract/commands.ts';
import { testContacts } from './contract/contacts.ts';
import { testConversations } from './contract/conversations.ts';
import { testEnqueueing } from './contract/enqueueing.ts';
import { testFiles } from './contract/files.ts';
import { testInbox } from './contract/inbox.ts';
import { testReadyMails } from './contract/ready-mails.ts';
import { testTransfers } from './contract/transfers.ts';
import { testKnowledge } from './contract/knowledge.ts';
import { testMessages } from './contract/messages.ts';
import { testMembers } from './contract/members.ts';
import { testProcesses } from './contract/processes.ts';
import { testRandomly } from './contract/random.ts';
import { testReserving } from './contract/reserving.ts';
import { testRevisions } from './contract/revisions.ts';
import { testRunning } from './contract/running.ts';
import { start, type TestClock } from './contract/samples.ts';
import { testSettings } from './contract/settings.ts';
import { testTurns } from './contract/turns.ts';
import { testUsage } from './contract/usage.ts';
import { testVisitors } from './contract/visitors.ts';
import { testWebhooks } from './contract/webhooks.ts';
import type { Store } from './store.ts';

/** An empty database, as the processes that share it see it: one store for each, or one where the engine allows no more. */
export interface OpenDatabase {
  readonly stores: readonly [Store, ...Store[]];
  close(): Promise<void>;
}

/**
 * What every engine must do. `open` gives an empty database each time, whose clock is the one given. Every call of a
 * test goes to another of its stores than the one before: nothing may be known to one process alone.
 */
export function describeStore(name: string, open: (clock: Clock) => Promise<OpenDatabase>): void {
  describe(name, () => {
    const clock: TestClock = { now: start };
    let database: OpenDatabase;
    let calls = 0;
    beforeEach(async () => {
      clock.now = start;
      database = await open(() => clock.now);
    });
    afterEach(() => database.close());

    const nextStore = () => database.stores[calls++ % database.stores.length]!;

    describe('enqueueing', () => testEnqueueing(nextStore, clock));
    describe('running', () => testRunning(nextStore, clock));
    describe('commands', () => testCommands(nextStore, clock));
    describe('reserving', () => testReserving(nextStore, clock));
    describe('settings and removal', () => testSettings(nextStore, clock));
    describe('members', () => testMembers(nextStore, clock));
    describe('revisions', () => testRevisions(nextStore));
    describe('appointments', () => testAppointments(nextStore, clock));
    describe('contacts', () => testContacts(nextStore));
    describe('files', () => testFiles(nextStore, clock));
    describe('knowledge', () => testKnowledge(nextStore, clock));
    describe('turns', () => testTurns(nextStore, clock));
    describe('conversations', () => testConversations(nextStore, clock));
    describe('messages', () => testMessages(nextStore));
    describe('inbox', () => testInbox(nextStore, clock));
    describe('ready mails', () => testReadyMails(nextStore, clock));
    describe('transfers', () => testTransfers(nextStore, clock));
    describe('usage', () => testUsage(nextStore));
    describe('visitors and feedback', () => testVisitors(nextStore, clock));
    describe('webhooks', () => testWebhooks(nextStore, clock));
    describe('many processes', () => testProcesses(() => database.stores, clock));
    describe('random interleavings', () => testRandomly(open));
  });
}
