import type { SettingsPrincipal } from './principal.ts';

/** Whether the settings of this tenant exist for whoever asks: to a member of another tenant they do not. */
export function authorize(principal: SettingsPrincipal, tenantId: string): boolean {
  return principal.kind === 'admin' || principal.tenantId === tenantId;
}
