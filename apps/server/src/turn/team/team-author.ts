import type { Author } from '@parley/protocol/event';
import type { TeamMember } from '../../session/queue-item.ts';

/** How the log names a member: not by their id, which is no visitor's business. */
export function teamAuthor({ name, avatarUrl }: TeamMember): Author {
  return { kind: 'team', name, ...(avatarUrl !== undefined && { avatarUrl }) };
}
