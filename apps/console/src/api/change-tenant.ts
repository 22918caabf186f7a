import type { TenantPatch, TenantView } from '@parley/protocol/settings/tenant';
import { call } from './call.ts';
import { tenants } from './member.ts';

/** Changes a tenant as it is by now: others may have changed it since it was read. Throws as `call`. */
export async function changeTenant(
  id: string,
  change: (now: TenantView) => TenantPatch,
): Promise<TenantView> {
  const now = await call<TenantView>('GET', `/tenants/${id}`);
  const changed = await call<TenantView>('PATCH', `/tenants/${id}`, change(now));
  tenants.value = tenants.value.map((each) => (each.id === id ? changed : each));
  return changed;
}
