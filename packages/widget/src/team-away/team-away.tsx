import type { Turn } from '@parley/conversation';
import { useTeamAwayWords } from './words.ts';

/** That nobody of the team was there, which promises no answer. */
function TeamAway({ reason, message }: NonNullable<Turn['away']>) {
  const word = useTeamAwayWords();
  return (
    <p class="meta" dir="auto">
      {message ?? word(reason === 'hours' ? 'teamClosed' : 'teamAway')}
    </p>
  );
}

export { TeamAway as Component };
