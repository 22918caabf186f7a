import type { InvitationCreate, InvitationView } from '@parley/protocol/settings/member';
import { newToken, tokenDigest } from '../auth/console-sessions.ts';
import type { InvitationRecord, SettingsStore } from '../store/settings-store.ts';
import { newId } from './id.ts';
import type { ResourceDefinition } from './resource.ts';

const invitationMs = 7 * 86_400_000;

/** The record of a new invitation, and its token, which the record does not hold. */
export function newInvitation(
  { tenantId, role }: InvitationCreate,
  { isSetup }: { readonly isSetup: boolean },
): { record: InvitationRecord; token: string } {
  const token = newToken();
  const now = Date.now();
  const record = {
    id: newId('invitation'),
    tenantId,
    role,
    digest: tokenDigest(token),
    isSetup,
    expiresAt: new Date(now + invitationMs).toISOString(),
    createdAt: new Date(now).toISOString(),
  };
  return { record, token };
}

export function invitationView({
  id,
  tenantId,
  role,
  expiresAt,
  createdAt,
}: InvitationRecord): InvitationView {
  return { id, createdAt, tenantId, role, expiresAt };
}

export function invitationDefinition({
  tenants,
  invitations,
}: Pick<SettingsStore, 'tenants' | 'invitations'>): ResourceDefinition<
  InvitationRecord,
  InvitationCreate,
  never,
  InvitationView
> {
  return {
    kind: 'invitation',
    nameOf: () => null,
    records: invitations,
    tenantOf: ({ tenantId }) => tenantId,
    ofTenant: (tenantId) => ({ tenantId }),
    view: invitationView,
    owner: {
      field: 'tenantId',
      tenantOf: async ({ tenantId }) => (tenantId === null ? null : (await tenants.get(tenantId))?.id),
    },
    async create(create) {
      const { record, token } = newInvitation(create, { isSetup: false });
      return { record, view: { ...invitationView(record), token } };
    },
    patch: () => Promise.reject(new Error('An invitation does not change.')),
  };
}
