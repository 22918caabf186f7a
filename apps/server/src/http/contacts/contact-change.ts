import type { SettingsPrincipal } from '../../auth/principal.ts';
import { changeRecord } from '../../settings/audit.ts';
import type { AuditRecord } from '../../store/audit-store.ts';
import type { ContactRecord } from '../../store/contact-store.ts';

/** What is written down of a member's change: of a field that it was changed, since nothing of a person outlives them here. */
export function contactChange(
  principal: SettingsPrincipal,
  before: ContactRecord,
  after: ContactRecord,
): AuditRecord {
  const wasNoted = (name: string) => (before.fields[name] ? 'noted' : null);
  const isNoted = (name: string) => {
    const value = after.fields[name]?.value;
    if (value === undefined) return null;
    return wasNoted(name) && value !== before.fields[name]?.value ? 'noted anew' : 'noted';
  };
  const names = Object.keys({ ...before.fields, ...after.fields });
  const side = ({ stage }: ContactRecord, said: (name: string) => string | null) => ({
    stage,
    fields: Object.fromEntries(names.map((name) => [name, said(name)])),
  });
  return changeRecord(principal, {
    tenantId: before.tenantId,
    action: 'updated',
    kind: 'contact',
    subject: { id: before.id, name: null },
    before: side(before, wasNoted),
    after: side(after, isNoted),
  });
}
