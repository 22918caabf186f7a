import { PassThrough } from 'node:stream';
import type { Response } from 'express';
import { expect, test } from 'vitest';
import type { MemberPrincipal } from '../../auth/principal.ts';
import { createLogger } from '../../logger.ts';
import { localEvents } from '../../testing/local-events.ts';
import { testStore } from '../../testing/test-store.ts';
import { ConversationStreams } from './conversation-streams.ts';

const hour = 3_600_000;
const at = (milliseconds: number) => new Date(milliseconds).toISOString();

test('a member follows as many conversations as fit a desk, until their session is over', async () => {
  const stored = await testStore();
  const store = await stored.open();
  const { members, consoleSessions } = store.settings;
  const [id, sessionId] = ['member_1', 'session_1'];
  const own = { id, tenantId: null, name: 'Grace', role: 'agent' } as const;
  const createdAt = at(Date.now());
  await members.insert({ ...own, signInName: 'grace', passwordHash: '', secondFactor: null, createdAt });
  const times = { lastUsedAt: createdAt, expiresAt: at(Date.now() + hour), createdAt };
  await consoleSessions.insert({ id: sessionId, memberId: id, digest: 'digest', ...times });
  const beats = new Set<() => void>();
  const streams = new ConversationStreams({
    store,
    stored: store.settings,
    live: localEvents(store).live,
    heartbeat: { join: (beat) => (beats.add(beat), () => void beats.delete(beat)) },
    fileUrl: (name) => name,
    logger: createLogger('silent'),
  });
  const grace: MemberPrincipal = { kind: 'member', ...own, sessionId };
  const open = () => {
    const response = Object.assign(new PassThrough(), { setHeader: () => response }).resume();
    streams.open(response as unknown as Response, 'ses_1', 0, grace);
    return response;
  };
  const first = open();
  for (let count = 1; count < 20; count++) open();
  expect(streams.isFullFor(grace)).toBe(true);
  expect(streams.isFullFor({ ...grace, id: 'member_2' })).toBe(false);
  const ended = new Promise((resolve) => first.once('close', resolve));
  await consoleSessions.update(sessionId, { lastUsedAt: at(Date.now() - 13 * hour) });
  for (const beat of beats) beat();
  await ended;
});
