import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import { createConsoleCookie } from '../../auth/console-cookie.ts';
import { testStore } from '../../testing/test-store.ts';
import { NewSessions } from './new-sessions.ts';

test('who signs in while their password or second factor is changed has no session', async () => {
  const stored = await testStore();
  const { settings } = await stored.open();
  const createdAt = new Date().toISOString();
  const named = { id: 'member_1', tenantId: null, name: 'Ada', signInName: 'ada', role: 'owner' } as const;
  const member = { ...named, passwordHash: 'first', secondFactor: null, createdAt };
  await settings.members.insert(member);
  const secrets = { mac: () => 'mac', verify: () => false };
  const newSessions = new NewSessions({ stored: settings, secrets, cookie: createConsoleCookie(true) });
  const cookies: string[] = [];
  const response = { cookie: (name: string) => cookies.push(name) } as unknown as Response;
  const begin = () => newSessions.begin({ headers: {} } as Request, response, member);
  const sessions = async () => {
    const where = { memberId: member.id };
    return (await settings.consoleSessions.list({ where, after: null, limit: 10 })).items.length;
  };
  for (const change of [{ passwordHash: 'second' }, { passwordHash: 'first', secondFactor: '{}' }]) {
    await settings.members.update(member.id, change);
    await expect(begin()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect([await sessions(), cookies]).toEqual([0, []]);
  }
  await settings.members.update(member.id, { secondFactor: null });
  await begin();
  expect([await sessions(), cookies.length]).toEqual([1, 2]);
});
