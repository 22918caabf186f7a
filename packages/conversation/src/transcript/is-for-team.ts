import type { InputRequest } from '@parley/protocol/ask';

/** Whether the team alone answers it: whoever reads this has nothing to choose. */
export const isForTeam = ({ kind, options }: Pick<InputRequest, 'kind' | 'options'>): boolean =>
  kind === 'tool-approval' && options?.length === 0;
