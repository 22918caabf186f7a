import type { MemberView } from '@parley/protocol/settings/member';
import type { TenantView } from '@parley/protocol/settings/tenant';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';

const tenant = (id: string): TenantView => ({
  id,
  name: id,
  createdAt: '2026-01-01T00:00:00.000Z',
  pipeline: { stages: [{ id: 'new', name: 'New' }], fields: [] },
});
const ada = { id: 'member_1', role: 'owner' };

let stored: TenantView[];
let who: typeof ada;
let isReachable: boolean;
const kept = new Map<string, string>();
/** What hears other tabs, by the name of its channel. */
const hears = new Map<string, (event: { readonly data: unknown }) => void>();
/** What other tabs are told. */
let told: unknown[];

/** The console as a tab that has just been loaded has it. */
async function loaded() {
  vi.resetModules();
  const [member, { changeTenant }] = await Promise.all([import('./member.ts'), import('./change-tenant.ts')]);
  await member.loadMember();
  return { ...member, changeTenant };
}

beforeEach(() => {
  stored = [tenant('a'), tenant('b')];
  who = ada;
  isReachable = true;
  kept.clear();
  hears.clear();
  told = [];
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    clear: () => kept.clear(),
  });
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      readonly #name: string;
      constructor(name: string) {
        this.#name = name;
      }
      addEventListener(_type: string, listener: (event: { readonly data: unknown }) => void) {
        hears.set(this.#name, listener);
      }
      postMessage(data: unknown) {
        told.push(data);
      }
    },
  );
  vi.stubGlobal('fetch', async (url: string, { method, body }: { method: string; body: string | null }) => {
    if (!isReachable) throw new TypeError('Failed to fetch');
    const path = url.split('/settings')[1] ?? '';
    if (path === '/refused') return Response.json({ error: 'No.', code: 'FORBIDDEN' }, { status: 403 });
    if (path === '/session') return Response.json(who);
    if (path.startsWith('/tenants?')) return Response.json({ items: stored, next: null });
    const at = stored.findIndex(({ id }) => path === `/tenants/${id}`);
    if (method === 'PATCH') stored[at] = { ...stored[at]!, ...JSON.parse(body ?? '{}') };
    return Response.json(stored[at]);
  });
});

test('a tenant is changed as it is by now, and kept as it is then', async () => {
  const { tenants, changeTenant } = await loaded();
  const lost = { id: 'lost', name: 'Lost' };
  stored[0] = { ...tenant('a'), pipeline: { stages: [lost], fields: [] } };
  const won = { id: 'won', name: 'Won' };
  await changeTenant('a', ({ pipeline }) => ({
    pipeline: { ...pipeline, stages: [...pipeline.stages, won] },
  }));
  expect(stored[0].pipeline.stages).toEqual([lost, won]);
  expect(tenants.value).toEqual(stored);
});

test('the organisation that was chosen is there after a reload, for whoever chose it', async () => {
  const first = await loaded();
  expect(first.tenant.value?.id).toBe('a');
  first.chooseTenant('b');
  expect((await loaded()).tenant.value?.id).toBe('b');
  stored = [tenant('a')];
  expect((await loaded()).tenant.value?.id).toBe('a');
  stored = [tenant('a'), tenant('b')];
  who = { ...ada, id: 'member_2' };
  expect((await loaded()).tenant.value?.id).toBe('a');
});

test('whoever comes in after somebody has left finds the first organisation', async () => {
  const { tenant: shown, chooseTenant, loadMember } = await loaded();
  chooseTenant('b');
  hears.get('parley-console')?.({ data: 'left' });
  await loadMember();
  expect(shown.value?.id).toBe('a');
});

test('a tab does nothing in the name of somebody else who came in by another tab', async () => {
  const { member, tenant: shown, chooseTenant } = await loaded();
  chooseTenant('b');
  expect(told).toEqual(['member_1']);
  const hear = hears.get('parley-console member');
  hear?.({ data: 'member_1' });
  expect(member.value).toEqual(ada);
  who = { id: 'member_2', role: 'viewer' };
  hear?.({ data: 'member_2' });
  expect(member.value).toBe(null);
  await expect.poll(() => member.value).toEqual(who);
  expect(shown.value?.id).toBe('a');
});

test('whoever is refused something has the role from then on that they have by now', async () => {
  const { member } = await loaded();
  const { call } = await import('./call.ts');
  who = { ...ada, role: 'viewer' };
  await expect(call('GET', '/refused')).rejects.toThrow('No.');
  await expect.poll(() => member.value).toEqual(who);
});

test('other tabs are told of somebody else whose organisations cannot be read yet', async () => {
  // The service is asked for later, when this test is over.
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { enter } = await loaded();
  told = [];
  isReachable = false;
  await expect(enter({ ...ada, id: 'member_2' } as MemberView)).rejects.toThrow();
  expect(told).toEqual(['member_2']);
});
