import type { MemberPatch, MemberView } from '@parley/protocol/settings/member';
import type { MemberRecord, SettingsStore } from '../store/settings-store.ts';
import type { ResourceDefinition } from './resource.ts';

export function memberView({ id, tenantId, name, role, secondFactor, createdAt }: MemberRecord): MemberView {
  return { id, createdAt, tenantId, name, role, secondFactor: secondFactor !== null };
}

/** Members come by invitation: nobody creates one. */
export function memberDefinition({
  members,
}: Pick<SettingsStore, 'members'>): ResourceDefinition<MemberRecord, never, MemberPatch, MemberView> {
  return {
    kind: 'member',
    nameOf: ({ name }) => name,
    records: members,
    tenantOf: ({ tenantId }) => tenantId,
    ofTenant: (tenantId) => ({ tenantId }),
    view: memberView,
    owner: null,
    create: () => Promise.reject(new Error('A member comes by an invitation.')),
    patch: async (_record, { role }) => (role === undefined ? {} : { role }),
  };
}
