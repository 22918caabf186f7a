import type { MemberRole, MemberView } from '@parley/protocol/settings/member';
import type { TenantView } from '@parley/protocol/settings/tenant';
import { batch, computed, signal } from '@preact/signals';
import { keepEntries, keepEntriesOf, keptEntries } from '../ui/kept-entries.ts';
import { allPages } from './all-pages.ts';
import { call, refusals, signedIn } from './call.ts';

/** Who is signed in: undefined until that is known, null when nobody is. */
export const member = signal<MemberView | null | undefined>(undefined);
export const tenants = signal<readonly TenantView[]>([]);
const chosen = signal<string | null>(null);

/** The tenant whose settings are on the screen. */
export const tenant = computed(
  () => tenants.value.find(({ id }) => id === chosen.value) ?? tenants.value[0] ?? null,
);

/** The tenant of what a link led to, which may be another one. */
export const tenantOf = (id: string): TenantView | undefined => tenants.value.find((each) => each.id === id);

const order: readonly MemberRole[] = ['viewer', 'agent', 'admin', 'owner'];

/** Whether the member's role includes what one of this role may. The service decides; this spares a refusal. */
export const isAtLeast = (role: MemberRole): boolean =>
  member.value != null && order.indexOf(member.value.role) >= order.indexOf(role);

/** Under which the choice outlives a reload. */
const choice = 'organisation';

export function chooseTenant(id: string): void {
  chosen.value = id;
  keepEntries(choice, { id });
}

/** Learns who is signed in, and for whom they work. */
export async function loadMember(): Promise<void> {
  const who = await call<MemberView | undefined>('GET', '/session');
  if (who === undefined) member.value = null;
  else await enter(who);
}

export async function enter(who: MemberView): Promise<void> {
  // The session is theirs by now, whatever becomes of what is read here.
  whoIsIn.postMessage(who.id);
  const theirs = await allPages<TenantView>('/tenants');
  keepEntriesOf(who.id);
  // The screen of somebody else, which waits behind the door, asks for nothing in their name.
  batch(() => {
    tenants.value = theirs;
    chosen.value = keptEntries(choice)['id'] ?? null;
    member.value = who;
    signedIn();
  });
}

/** Learns the role that an owner has given the member meanwhile. That somebody else is in, or nobody, is noticed elsewhere. */
async function readRoleAgain(): Promise<void> {
  if (member.peek() == null) return;
  const who = await call<MemberView | undefined>('GET', '/session');
  const before = member.peek();
  if (before && who?.id === before.id && who.role !== before.role) member.value = who;
}

const readRoleQuietly = () => void readRoleAgain().catch(() => undefined);
refusals.subscribe((count) => {
  if (count > 0) readRoleQuietly();
});

/** The same whenever somebody comes back to this tab. Gives what ends it. */
export function readRoleWhenSeen(): () => void {
  const look = () => {
    if (!document.hidden) readRoleQuietly();
  };
  document.addEventListener('visibilitychange', look);
  return () => document.removeEventListener('visibilitychange', look);
}

export async function loadTenants(): Promise<void> {
  tenants.value = await allPages<TenantView>('/tenants');
}

export async function leave(): Promise<void> {
  await call('DELETE', '/session');
  forget();
  otherTabs.postMessage('left');
}

/** The console's other tabs in this browser, whose session is the same one. */
const otherTabs = new BroadcastChannel('parley-console');
otherTabs.addEventListener('message', forget);
/** Apart from that: a tab of the version before forgets everything with every message of the other one. */
const whoIsIn = new BroadcastChannel('parley-console member');
whoIsIn.addEventListener('message', ({ data }) => {
  if (member.value == null || member.value.id === data) return;
  // What is asked for from here on is asked in their name.
  forget();
  loadMember().catch(() => undefined);
});

/** Leaves nothing on the screen and in this tab that the next one must not find. */
function forget(): void {
  sessionStorage.clear();
  chosen.value = null;
  member.value = null;
  tenants.value = [];
}
