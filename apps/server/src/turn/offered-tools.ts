import type { ToolSet } from '../tool/source.ts';
import type { ServerTool } from '../tool/tool.ts';
import type { TurnContext } from './context.ts';

/** What the model may call at this point of the turn. */
export function offeredTools({
  tools,
  session,
  agent,
  state,
}: Pick<TurnContext, 'tools' | 'session' | 'agent' | 'state'>): ToolSet {
  const { clientTools } = state;
  const canRequestInput =
    session.interface === 'chat'
      ? agent.settings.approvalsOnChat && ['visitor', 'either'].includes(agent.settings.approvalsBy)
      : state.canRequestInput;
  return tools.forSession({ interface: session.interface, canRequestInput, clientTools });
}

/** The tool of this name when it is one that runs here. */
export function serverTool(
  context: Parameters<typeof offeredTools>[0],
  name: string,
): ServerTool | undefined {
  const tool = offeredTools(context).tools.get(name);
  return tool?.executor === 'server' ? tool : undefined;
}
