import type { MemberRole } from '@parley/protocol/settings/member';

/** What a role is called on the screen: an agent is what answers visitors by itself, so nobody is one. */
export const roleNames: Readonly<Record<MemberRole, string>> = {
  viewer: 'Viewer',
  agent: 'Teammate',
  admin: 'Admin',
  owner: 'Owner',
};
