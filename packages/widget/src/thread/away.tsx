import type { Turn } from '@parley/conversation';
import { lazy } from '../ui/lazy.tsx';

/** Few visitors wait for a team of which nobody is there. */
export const Away = lazy<NonNullable<Turn['away']>>(() => import('../team-away/team-away.tsx'), true);
