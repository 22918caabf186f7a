import { flatParameters } from './schema/flat-parameters.ts';
import type { AgentTools, LoadedTools, ToolSession, ToolSet } from './source.ts';
import type { Tool } from './tool.ts';

type Offer = Pick<ToolSession, 'interface' | 'canRequestInput'>;

/** One key for all sessions whose page has no functions. */
const noClientTools: ToolSession['clientTools'] = [];

/** The tools of an agent, of every kind. Of several with one name the first counts. */
export function createAgentTools(kinds: readonly LoadedTools[]): AgentTools {
  const sets = new WeakMap<ToolSession['clientTools'], Map<string, ToolSet>>();
  return {
    forSession(session) {
      const clientTools = session.clientTools.length === 0 ? noClientTools : session.clientTools;
      const known = sets.get(clientTools) ?? new Map<string, ToolSet>();
      sets.set(clientTools, known);
      const offer = `${session.interface} ${session.canRequestInput}`;
      const set = known.get(offer) ?? toolSet(kinds, { ...session, clientTools });
      known.set(offer, set);
      return set;
    },
  };
}

function toolSet(kinds: readonly LoadedTools[], session: ToolSession): ToolSet {
  const tools = new Map<string, Tool>();
  for (const kind of kinds) {
    for (const tool of kind.forSession(session)) {
      if (isOffered(tool, session) && !tools.has(tool.name)) tools.set(tool.name, tool);
    }
  }
  const offered = [...tools.values()].map(({ name, description, parameters }) => ({
    name,
    description,
    parameters: flatParameters(parameters),
  }));
  return { tools, offered };
}

/** A tool that asks for approval, or for a sign-in, is no use where nobody can give one. */
function isOffered(tool: Tool, { interface: used, canRequestInput }: Offer): boolean {
  if (tool.executor !== 'server') return true;
  return (
    tool.interfaces.includes(used) && (canRequestInput || (tool.approval === 'never' && !tool.perVisitor))
  );
}
