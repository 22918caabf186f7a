/** The tool that looks up what an agent knows. */
export const searchToolName = 'search_knowledge';
