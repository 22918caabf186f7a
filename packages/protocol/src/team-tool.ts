/** The tool by which the agent asks the team. */
export const askTeamName = 'ask_team';
