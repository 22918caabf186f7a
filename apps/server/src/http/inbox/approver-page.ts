import { isApprover } from '../../approval/approver.ts';
import type { SettingsPrincipal } from '../../auth/principal.ts';
import type { Page } from '../../store/page.ts';
import type { SettingsStore } from '../../store/settings-store.ts';

/** Begins the cursors of the second part of the list. */
const ofAll = 'all.';

/** Who may answer for a tenant, of itself first: members of one tenant are not shown who works for every tenant. */
export async function approverPage(
  members: Pick<SettingsStore['members'], 'list'>,
  principal: SettingsPrincipal,
  tenantId: string,
  { cursor = null, limit }: { readonly cursor?: string | null | undefined; readonly limit: number },
): Promise<Page<{ readonly id: string; readonly name: string }>> {
  const isOfAll = principal.kind === 'admin' || principal.tenantId === null;
  const isSecond = isOfAll && cursor !== null && cursor.startsWith(ofAll);
  const after = isSecond ? cursor.slice(ofAll.length) || null : cursor;
  const where = { tenantId: isSecond ? null : tenantId };
  const page = await members.list({ where, after, limit });
  const items = page.items
    .filter((member) => isApprover(member, tenantId))
    .map(({ id, name }) => ({ id, name }));
  const last = isOfAll && !isSecond ? ofAll : null;
  const next = page.next !== null && isSecond ? `${ofAll}${page.next}` : page.next;
  return { items, next: next ?? last };
}
