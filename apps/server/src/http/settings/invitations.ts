import type { InvitationCreate, InvitationView } from '@parley/protocol/settings/member';
import type { Resource } from '../../settings/resource.ts';
import type { InvitationRecord } from '../../store/settings-store.ts';
import type { Handlers } from '../handlers.ts';

/** Who may become a member. */
export function invitationHandlers(
  invitations: Resource<InvitationRecord, InvitationCreate, never, InvitationView>,
): Handlers<'createInvitation' | 'listInvitations' | 'deleteInvitation'> {
  return {
    async createInvitation({ response, principal, body }) {
      response.status(201).json(await invitations.create(principal, body));
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
