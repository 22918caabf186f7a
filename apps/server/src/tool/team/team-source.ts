import type { ToolSource } from '../source.ts';
import { askTeam } from './ask-team.ts';

/** An agent that is set to may ask the team, on the Sessions interface alone: no team reads Chat. */
export const teamSource: ToolSource = {
  load: ({ mayAskTeam }) =>
    Promise.resolve({
      forSession: ({ interface: used, canRequestInput }) =>
        mayAskTeam && used === 'sessions' && canRequestInput ? [askTeam] : [],
      close: () => Promise.resolve(),
    }),
};
