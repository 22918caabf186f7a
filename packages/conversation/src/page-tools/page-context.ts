import type { TurnOptions } from '@parley/client/session-input';
import type { ClientTool } from './client-tool.ts';

/** What the page has told of itself. */
export type ContextValues = Record<string, unknown> | null;
export type PageContext = ReturnType<typeof createPageContext>;

type Tools = ReadonlyMap<string, ClientTool | null>;

/** As the service takes them: no other property, and not those that were taken away. */
const offeredTools = (tools: Tools) =>
  [...tools.values()].flatMap((tool) =>
    tool ? { name: tool.name, description: tool.description, parameters: tool.parameters } : [],
  );

/** What one request can carry. */
const maxTools = 20;
const maxToolsLength = 60_000;

/** What the page around the conversation has told the agent. */
export function createPageContext() {
  const page = {
    values: null as ContextValues,
    /** By name; null for one that was taken away, of which the agent has to be told. */
    tools: new Map() as Tools,
    /** Throws when these are more than a message can take along. */
    offer(tool: ClientTool | { name: string; run: null }) {
      const tools = new Map(page.tools).set(tool.name, tool.run && tool);
      const offered = offeredTools(tools);
      if (offered.length > maxTools || JSON.stringify(offered).length > maxToolsLength)
        throw Error(
          `Parley: there are more than ${maxTools} tools, or more than ${maxToolsLength} characters of them.`,
        );
      page.tools = tools;
    },
    /** What goes with a message; as JSON, which leaves the functions at home. */
    turnOptions: (visitor: object | null | undefined, values: ContextValues): TurnOptions => ({
      ...((values || visitor) && { clientContext: { ...values, ...(visitor && { visitor }) } }),
      ...(page.tools.size > 0 && { clientTools: offeredTools(page.tools) }),
    }),
  };
  return page;
}
