import type { DraftProblem } from '@parley/conversation';
import { countLabel } from '../i18n/count-label.ts';
import type { Words } from '../i18n/labels.ts';
import { sayKinds, sayNames, saySize } from './say-policy.ts';

/** Why files are not in the draft that were meant to be. */
export function sayProblem(problem: DraftProblem, words: Words): string {
  if (problem.kind !== 'rejected') return words.label(problem.kind === 'lost' ? 'filesLost' : 'NETWORK');
  const { unreadable, refused, surplus, policy, maxFiles } = problem;
  return [
    unreadable.length > 0 ? sayNames('unreadable', unreadable, words) : [],
    refused.length > 0
      ? [
          sayNames('notAccepted', refused, words),
          sayKinds(policy.types, words),
          saySize(policy.totalBytes, words),
        ]
      : [],
    surplus.length > 0
      ? [sayNames('notAccepted', surplus, words), countLabel(words, 'filesAllowed', maxFiles)]
      : [],
  ]
    .flat()
    .join(' ');
}
