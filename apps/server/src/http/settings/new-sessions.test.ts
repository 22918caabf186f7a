import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import { createConsoleCookie } from '../../auth/console-cookie.ts';
import { storedSecondFactor } from '../../settings/stored-second-factor.ts';
import type { MemberRecord } from '../../store/settings-store.ts';
import { testStore } from '../../testing/test-store.ts';
import { NewSessions } from './new-sessions.ts';

const factorOf = (since: string, usedStep = 0) =>
  storedSecondFactor({ since, secret: 'sealed', usedStep, recoveryCodes: [] });

test('who signs in while their password or second factor is changed, or their passkey or they themselves removed, has no session', async () => {
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
  const begin = (read: MemberRecord = member, passkeyId: string | null = null) =>
    newSessions.begin({ headers: {} } as Request, response, read, passkeyId);
  const sessions = async () => {
    const where = { memberId: member.id };
    return (await settings.consoleSessions.list({ where, after: null, limit: 10 })).items.length;
  };
  for (const change of [
    { passwordHash: 'second' },
    { passwordHash: 'first', secondFactor: factorOf('now') },
  ]) {
    await settings.members.update(member.id, change);
    await expect(begin()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect([await sessions(), cookies]).toEqual([0, []]);
  }
  const asked = { ...member, secondFactor: factorOf('before') };
  for (const secondFactor of [null, factorOf('now')]) {
    await settings.members.update(member.id, { secondFactor });
    await expect(begin(asked)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  }
  await settings.members.update(member.id, { secondFactor: factorOf('before', 1) });
  await begin(asked);
  expect([await sessions(), cookies.length]).toEqual([1, 2]);

  const of = { memberId: member.id, name: 'Phone', credentialId: 'c', publicKey: 'AAAA', counter: 0 };
  await settings.passkeys.insert({ id: 'passkey_1', ...of, transports: [], lastUsedAt: null, createdAt });
  await begin(asked, 'passkey_1');
  await settings.passkeys.remove('passkey_1');
  await expect(begin(asked, 'passkey_1')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  expect([await sessions(), cookies.length]).toEqual([2, 4]);

  await settings.members.remove(member.id);
  await expect(begin(asked)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});
