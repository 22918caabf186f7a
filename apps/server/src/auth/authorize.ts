import { type MemberRole, memberRoles } from '@parley/protocol/settings/member';
import type { SettingsPrincipal } from './principal.ts';

/**
 * Whether the settings of this tenant exist for whoever asks: to a member of another tenant they do not. Null: what
 * belongs to the whole service.
 */
export function authorize(principal: SettingsPrincipal, tenantId: string | null): boolean {
  return principal.kind === 'admin' || principal.tenantId === null || principal.tenantId === tenantId;
}

/** What a route asks of whoever reads or changes settings. */
interface Demands {
  readonly role: MemberRole;
  /** Nobody of a single tenant. */
  readonly everyTenant: boolean;
}

/** Whether whoever asks may use such a route at all. The holder of the admin token may use each. */
export function mayUse(principal: SettingsPrincipal, { role, everyTenant }: Demands): boolean {
  if (principal.kind === 'admin') return true;
  if (everyTenant && principal.tenantId !== null) return false;
  return memberRoles.indexOf(principal.role) >= memberRoles.indexOf(role);
}
