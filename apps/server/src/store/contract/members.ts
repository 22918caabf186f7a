import { expect, test } from 'vitest';
import { dayMs } from '../day-ms.ts';
import type { AuditRecord } from '../audit-store.ts';
import type { ConsoleSessionRecord, InvitationRecord, MemberRecord } from '../settings-store.ts';
import type { PasskeyRecord } from '../passkey-store.ts';
import type { Store } from '../store.ts';
import { opened, start, type TestClock } from './samples.ts';
import { seed } from './settings.ts';

const createdAt = '2026-01-01T00:00:00.000Z';
const expiresAt = '2026-01-08T00:00:00.000Z';

const member: MemberRecord = {
  id: 'member_1',
  tenantId: 'tenant_1',
  name: 'Ada',
  signInName: 'ada',
  role: 'owner',
  passwordHash: '$argon2id$',
  secondFactor: null,
  createdAt,
};
const invitation: InvitationRecord = {
  id: 'invitation_1',
  tenantId: null,
  role: 'viewer',
  digest: 'digest_1',
  isSetup: true,
  expiresAt,
  createdAt,
};
const session: ConsoleSessionRecord = {
  id: 'session_1',
  memberId: 'member_1',
  digest: 'digest_1',
  lastUsedAt: createdAt,
  expiresAt,
  createdAt,
};
const passkey: PasskeyRecord = {
  id: 'passkey_1',
  memberId: 'member_1',
  name: 'Phone',
  credentialId: 'credential_1',
  publicKey: 'AAAA',
  counter: 7,
  transports: ['internal', 'hybrid'],
  lastUsedAt: null,
  createdAt,
};
const change: AuditRecord = {
  at: start,
  tenantId: 'tenant_1',
  actor: { id: 'member_1', name: 'Ada' },
  action: 'updated',
  kind: 'agent',
  subject: { id: 'agent_1', name: 'Helper' },
  before: { greeting: 'Hi', prompts: [] },
  after: { greeting: 'Hello', prompts: ['Who?'] },
};

/** A member with a session, an invitation and what was changed, of the tenant that `seed` makes. */
export async function seedMembers({ settings }: Store): Promise<void> {
  await settings.members.insert(member, change);
  await settings.invitations.insert(invitation);
  await settings.consoleSessions.insert(session);
  await settings.passkeys.insert(passkey);
  await settings.passkeyChallenges.save({ challenge: 'challenge_1', memberId: 'member_1' }, dayMs);
  await settings.memberPictures.save('member_1', { id: 'picture_1', picture: 'data:image/png;base64,AAAA' });
}

export function testMembers(store: () => Store, clock: TestClock): void {
  const everything = { where: {}, after: null, limit: 9 };
  const ofEveryTenant = { tenantId: undefined, after: null, limit: 9 };

  test('gives back members, invitations and sessions as they were inserted', async () => {
    await seed(store());
    await seedMembers(store());
    const { members, invitations, consoleSessions } = store().settings;
    expect(await members.get('member_1')).toEqual(member);
    const named = await members.list({ where: { signInName: 'ada' }, after: null, limit: 1 });
    expect(named.items).toEqual([member]);
    const invited = await invitations.list({ where: { digest: 'digest_1' }, after: null, limit: 1 });
    expect(invited.items).toEqual([invitation]);
    const open = await consoleSessions.list({ where: { digest: 'digest_1' }, after: null, limit: 1 });
    expect(open.items).toEqual([session]);
  });

  test('rejects a second member of a name, and a second session or invitation of a digest', async () => {
    await seed(store());
    await seedMembers(store());
    const { members, invitations, consoleSessions } = store().settings;
    await expect(members.insert({ ...member, id: 'member_2' })).rejects.toThrow();
    await expect(invitations.insert({ ...invitation, id: 'invitation_2' })).rejects.toThrow();
    await expect(consoleSessions.insert({ ...session, id: 'session_2' })).rejects.toThrow();
  });

  test('a member that is removed leaves no session, and a tenant nobody and nothing that was changed', async () => {
    await seed(store());
    await seedMembers(store());
    const { tenants, members, invitations, consoleSessions, audit } = store().settings;
    await members.insert({ ...member, id: 'member_2', signInName: 'grace', tenantId: null });
    await consoleSessions.insert({ ...session, id: 'session_2', digest: 'digest_2', memberId: 'member_2' });
    await invitations.insert({ ...invitation, id: 'invitation_2', digest: 'd2', tenantId: 'tenant_1' });
    expect(await tenants.remove('tenant_1')).toBe(true);
    expect((await members.list(everything)).items.map(({ id }) => id)).toEqual(['member_2']);
    expect((await consoleSessions.list(everything)).items.map(({ id }) => id)).toEqual(['session_2']);
    expect((await invitations.list(everything)).items.map(({ id }) => id)).toEqual(['invitation_1']);
    expect((await audit.list(ofEveryTenant)).items).toEqual([]);
    await members.remove('member_2');
    expect((await consoleSessions.list(everything)).items).toEqual([]);
  });

  test('lists what was changed latest first, in pages, of one tenant or of all', async () => {
    await seed(store());
    const { audit, invitations } = store().settings;
    const service: AuditRecord = { ...change, tenantId: null, actor: null, before: null, action: 'created' };
    await invitations.insert(invitation, change);
    await invitations.update('invitation_1', { role: 'admin' }, service);
    await invitations.remove('invitation_1', { ...change, at: start + 1, action: 'deleted', after: null });
    const first = await audit.list({ ...ofEveryTenant, limit: 2 });
    expect(first.items).toEqual([{ ...change, at: start + 1, action: 'deleted', after: null }, service]);
    const rest = await audit.list({ ...ofEveryTenant, after: first.next });
    expect(rest).toEqual({ items: [change], next: null });
    const own = await audit.list({ ...ofEveryTenant, tenantId: 'tenant_1' });
    expect(own.items.map(({ action }) => action)).toEqual(['deleted', 'updated']);
    const trial: AuditRecord = { ...change, action: 'tested', before: null };
    await audit.record(trial);
    expect((await audit.list({ ...ofEveryTenant, limit: 1 })).items).toEqual([trial]);
  });

  test('an owner gives and takes roles for as long as they are one, and of two at once one stays', async () => {
    await seed(store());
    await seedMembers(store());
    const { audit, members } = store().settings;
    const other: MemberRecord = { ...member, id: 'member_0', name: 'Eve', signInName: 'eve' };
    await members.insert(other);
    const demoted = { ...change, at: start + 1 };
    expect(await members.changeRoleAsOwner('member_1', 'member_0', 'viewer', demoted)).toEqual({
      ...other,
      role: 'viewer',
    });
    expect(await members.changeRoleAsOwner('member_0', 'member_1', 'viewer', change)).toBeNull();
    expect(await members.removeAsOwner('member_0', 'member_1', change)).toBe(false);
    expect(await members.removeAsOwner('member_1', 'member_2', change)).toBe(false);
    expect((await audit.list(ofEveryTenant)).items).toEqual([demoted, change]);
    expect(await members.removeAsOwner('member_1', 'member_0', demoted)).toBe(true);
    expect((await audit.list(ofEveryTenant)).items).toEqual([demoted, demoted, change]);
    for (let times = 0; times < 10; times++) {
      await members.insert(other);
      const done = await Promise.all([
        members.removeAsOwner('member_1', 'member_0', change),
        times % 2 === 0
          ? members.removeAsOwner('member_0', 'member_1', change)
          : members.changeRoleAsOwner('member_0', 'member_1', 'viewer', change).then((one) => one !== null),
      ]);
      expect(done.filter(Boolean)).toHaveLength(1);
      for (const id of ['member_0', 'member_1']) await members.remove(id);
      await members.insert(member);
    }
  });

  test('an invitation goes in the transaction that makes its member, and makes no other', async () => {
    await seed(store());
    await seedMembers(store());
    const { audit, invitations, members } = store().settings;
    const joined = { ...change, action: 'created' as const };
    const invited = (id: string, signInName: string, at = createdAt) =>
      members.insertInvited({ ...member, id, signInName, createdAt: at }, 'invitation_1', joined);
    // A name that is taken costs no invitation.
    await expect(invited('member_2', 'ada')).rejects.toThrow();
    expect(await invited('member_2', 'grace', expiresAt)).toBe(false);
    expect(await invitations.get('invitation_1')).toEqual(invitation);
    const made = await Promise.all([invited('member_2', 'grace'), invited('member_3', 'eve')]);
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await invitations.get('invitation_1')).toBeNull();
    expect((await members.list(everything)).items).toHaveLength(2);
    expect((await audit.list(ofEveryTenant)).items).toEqual([joined, change]);
  });

  test('a change that is not made is in no log, and one that cannot be logged is not made', async () => {
    await seed(store());
    await seedMembers(store());
    const { audit, members, tenants } = store().settings;
    await expect(members.insert({ ...member, id: 'member_2' }, change)).rejects.toThrow();
    expect(await members.update('member_2', { role: 'viewer' }, change)).toBeNull();
    expect(await members.remove('member_2', change)).toBe(false);
    expect((await audit.list(ofEveryTenant)).items).toEqual([change]);
    const misplaced = { ...change, tenantId: 'tenant_0' };
    await expect(
      members.insert({ ...member, id: 'member_2', signInName: 'grace' }, misplaced),
    ).rejects.toThrow();
    await expect(members.update('member_1', { role: 'viewer' }, misplaced)).rejects.toThrow();
    await expect(members.remove('member_1', misplaced)).rejects.toThrow();
    expect((await members.list(everything)).items).toEqual([member]);
    const gone: AuditRecord = { ...change, tenantId: null, action: 'deleted', after: null };
    expect(await tenants.remove('tenant_1', gone)).toBe(true);
    expect((await audit.list(ofEveryTenant)).items).toEqual([gone]);
  });

  test('gives back passkeys, one of each credential, which go with their member', async () => {
    await seed(store());
    await seedMembers(store());
    const { members, passkeys } = store().settings;
    const where = { credentialId: 'credential_1' };
    expect((await passkeys.list({ where, after: null, limit: 1 })).items).toEqual([passkey]);
    await expect(passkeys.insert({ ...passkey, id: 'passkey_2' })).rejects.toThrow();
    await members.remove('member_1');
    expect((await passkeys.list(everything)).items).toEqual([]);
  });

  test('a picture keeps its id when it is changed, and goes with its member', async () => {
    await seed(store());
    await seedMembers(store());
    const { memberPictures: pictures, members } = store().settings;
    const first = { id: 'picture_1', picture: 'data:image/png;base64,AAAA' };
    expect(await pictures.ofMember('member_1')).toEqual(first);
    const changed = 'data:image/png;base64,BBBB';
    expect(await pictures.save('member_1', { id: 'picture_2', picture: changed })).toBe(true);
    expect(await pictures.get('picture_1')).toBe(changed);
    expect(await pictures.get('picture_2')).toBeNull();
    expect(await pictures.save('nobody', { id: 'picture_3', picture: changed })).toBe(false);
    await members.remove('member_1');
    expect(await pictures.get('picture_1')).toBeNull();
  });

  test('a picture that was taken away is nowhere, and another one has an id of its own', async () => {
    await seed(store());
    await seedMembers(store());
    const { memberPictures: pictures } = store().settings;
    await pictures.remove('member_1');
    expect([await pictures.ofMember('member_1'), await pictures.get('picture_1')]).toEqual([null, null]);
    const next = { id: 'picture_2', picture: 'data:image/png;base64,CCCC' };
    await pictures.save('member_1', next);
    expect([await pictures.ofMember('member_1'), await pictures.get('picture_1')]).toEqual([next, null]);
  });

  test('a member is there for as long as was said, for one tenant and at one conversation', async () => {
    await seed(store());
    await seedMembers(store());
    await store().settings.members.insert({
      ...member,
      id: 'member_2',
      name: 'Bob',
      signInName: 'bob',
      role: 'viewer',
    });
    await opened(store());
    const at = { tenantId: 'tenant_1', sessionId: null, ttlMs: 1_000 };
    await store().notePresence('member_2', at);
    await store().notePresence('nobody', at);
    // Whoever may only look answers nobody.
    expect(await store().teamPresence('tenant_1')).toBe('unknown');
    clock.now = start + 500;
    await store().notePresence('member_1', { ...at, sessionId: 'session_1' });
    const bob = { id: 'member_2', name: 'Bob', sessionId: null };
    const ada = { id: 'member_1', name: 'Ada', sessionId: 'session_1' };
    expect(await store().listPresent('tenant_1', 9)).toEqual([ada, bob]);
    expect(await store().listPresent('tenant_1', 1)).toEqual([ada]);
    expect(await store().listPresent('tenant_2', 9)).toEqual([]);
    expect(await store().teamPresence('tenant_1')).toBe('present');
    expect(await store().teamPresence('tenant_2')).toBe('unknown');
    clock.now = start + 1_000;
    expect(await store().listPresent('tenant_1', 9)).toEqual([ada]);
    await store().notePresence('member_1', at);
    clock.now = start + 1_999;
    expect(await store().listPresent('tenant_1', 9)).toEqual([{ ...ada, sessionId: null }]);
    clock.now = start + 2_000;
    expect(await store().teamPresence('tenant_1')).toBe('away');
    // Nobody is shown what does not exist for them.
    for (const place of [
      { ...at, sessionId: 'absent' },
      { ...at, tenantId: 'tenant_2', sessionId: 'session_1' },
    ]) {
      await store().notePresence('member_1', place);
      expect(await store().listPresent(place.tenantId, 9)).toEqual([{ ...ada, sessionId: null }]);
    }
    await store().notePresence('member_1', at);
    await store().settings.members.remove('member_1');
    expect(await store().listPresent('tenant_1', 9)).toEqual([]);
  });

  test('a challenge is taken once, in time, and by whom it was given to', async () => {
    await seed(store());
    await seedMembers(store());
    const { passkeyChallenges: challenges } = store().settings;
    const ofAda = { challenge: 'challenge_1', memberId: 'member_1' };
    expect(await challenges.take({ ...ofAda, memberId: null })).toBe(false);
    const taken = await Promise.all([challenges.take(ofAda), challenges.take(ofAda)]);
    expect(new Set(taken)).toEqual(new Set([true, false]));
    const ofAnybody = { challenge: 'challenge_2', memberId: null };
    await challenges.save(ofAnybody, 1_000);
    expect(await challenges.take({ ...ofAnybody, memberId: 'member_1' })).toBe(false);
    clock.now = start + 1_000;
    expect(await challenges.take(ofAnybody)).toBe(false);
    await challenges.save({ challenge: 'challenge_3', memberId: null }, 1_000);
    expect(await challenges.take({ challenge: 'challenge_3', memberId: null })).toBe(true);
  });

  test('counts every quota or none, and begins anew with the window', async () => {
    const ofAddress = { scope: 'signIns:address:1', limit: 3, windowMs: 1_000, amount: 1 };
    const ofAccount = { scope: 'signIns:account:1', limit: 1, windowMs: 1_000, amount: 1 };
    clock.now = start + 400;
    expect(await store().countQuotas([ofAddress, ofAccount])).toBeNull();
    expect(await store().countQuotas([ofAddress, ofAccount])).toEqual({
      outcome: 'limited',
      scope: 'signIns:account:1',
      windowMs: 1_000,
      retryAfterMs: 600,
    });
    expect(await store().countQuotas([ofAddress])).toBeNull();
    expect(await store().countQuotas([ofAddress])).toBeNull();
    expect(await store().countQuotas([ofAddress])).toMatchObject({ scope: 'signIns:address:1' });
    clock.now = start + 1_000;
    expect(await store().countQuotas([ofAddress, ofAccount])).toBeNull();
  });
}
