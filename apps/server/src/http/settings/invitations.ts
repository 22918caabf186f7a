import type { InvitationCreate, InvitationView } from '@parley/protocol/settings/member';
import type { Resource } from '../../settings/resource.ts';
import type { InvitationRecord, SettingsStore } from '../../store/settings-store.ts';
import type { Handlers } from '../handlers.ts';
import { rejectFormerOwner } from './reject-former-owner.ts';

/** Who may become a member. */
export function invitationHandlers(
  invitations: Resource<InvitationRecord, InvitationCreate, never, InvitationView>,
  members: SettingsStore['members'],
): Handlers<'createInvitation' | 'listInvitations' | 'deleteInvitation'> {
  return {
    async createInvitation({ response, principal, body }) {
      const invitation = await invitations.create(principal, body);
      // Whoever was an owner when the request began may be none by now: those of a former owner are withdrawn already.
      if (principal.kind === 'member')
        try {
          await rejectFormerOwner(members, principal);
        } catch (error) {
          await invitations.delete(principal, invitation.id);
          throw error;
        }
      response.status(201).json(invitation);
    },
    async listInvitations({ response, principal, query }) {
      response.json(await invitations.list(principal, query));
    },
    async deleteInvitation({ response, principal, id }) {
      await invitations.delete(principal, id);
      response.status(204).end();
    },
  };
}
