import { automationId } from '../store/inbox-store.ts';
import type { TeamMember } from './queue-item.ts';

/** Whoever acts for the team and is nobody in particular. */
export const automation: TeamMember = { id: automationId, name: 'The team' };
