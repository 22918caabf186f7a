import type { TeamQuestionPart } from '@parley/conversation';
import { CardIcon } from '../../ui/card-icon.tsx';
import { useWidget } from '../../widget-context.ts';

/** That the agent asks the team, and not what. */
export function TeamQuestionLine({ state }: Pick<TeamQuestionPart, 'state'>) {
  const { label } = useWidget();
  if (state === 'withdrawn') return null;
  return (
    <div class="tool" data-state={state}>
      <p class="tool-line">
        <CardIcon name={state === 'answered' ? 'check' : 'clock'} />
        <span>{label(words[state])}</span>
      </p>
    </div>
  );
}

const words = { open: 'teamChecks', answered: 'teamChecked', expired: 'teamSilent' } as const;
