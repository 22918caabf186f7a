import { searchToolName } from '@parley/protocol/search-tool';
import { askTeamName } from '@parley/protocol/team-tool';
import { contactToolNames } from './contact/contact-tools.ts';

/** The names of tools that agents have by themselves, which one of the tenant’s own would hide. */
export const builtInTools: ReadonlySet<string> = new Set([searchToolName, askTeamName, ...contactToolNames]);
