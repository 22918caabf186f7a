import { expect, onTestFinished, test, vi } from 'vitest';
import { testStore } from '../testing/test-store.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { newInvitation } from './invitation.ts';

const week = 7 * 86_400_000;

test('an invitation is good for seven days, and then for nobody', async () => {
  const store = await (await testStore()).open();
  onTestFinished(() => store.close());
  const { settings } = store;
  const start = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  onTestFinished(() => void vi.useRealTimers());
  const accept = async (name: string, after: number) => {
    vi.setSystemTime(start);
    const { record, token } = newInvitation({ tenantId: null, role: 'agent' }, { isSetup: false });
    await settings.invitations.insert(record);
    vi.setSystemTime(start + after);
    return acceptInvitation(settings, { token, name, password: 'correct horse battery' });
  };
  expect(await accept('Ada', week - 1)).toMatchObject({ name: 'Ada', role: 'agent' });
  await expect(accept('Grace', week)).rejects.toMatchObject({ code: 'not-found' });
  const { items } = await settings.members.list({ where: {}, after: null, limit: 9 });
  expect(items.map(({ name }) => name)).toEqual(['Ada']);
});

test.each(['withdrawn', 'over'])(
  'an invitation that is %s while it is accepted makes nobody a member',
  async (end) => {
    const store = await (await testStore()).open();
    onTestFinished(() => store.close());
    const { settings } = store;
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { record, token } = newInvitation({ tenantId: null, role: 'agent' }, { isSetup: false });
    await settings.invitations.insert(record);
    const list: typeof settings.members.list = async (query) => {
      const page = await settings.members.list(query);
      if (end === 'over') vi.setSystemTime(Date.parse(record.expiresAt));
      else await settings.invitations.remove(record.id);
      return page;
    };
    const stored = { ...settings, members: { ...settings.members, list } };
    const accepting = acceptInvitation(stored, { token, name: 'Ada', password: 'correct horse battery' });
    await expect(accepting).rejects.toMatchObject({ code: 'not-found' });
    const { items } = await settings.members.list({ where: {}, after: null, limit: 9 });
    expect(items).toEqual([]);
  },
);
