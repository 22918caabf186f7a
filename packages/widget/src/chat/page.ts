import type { ParleyError } from '@parley/client/error';
import type { TurnOptions } from '@parley/client/session';
import type { ClientTool } from '../launcher/widget-api.ts';
import { createClock } from './clock.ts';
import { tellPage } from '../panel/tell-page.ts';

/** What the page has told of itself. */
export type PageContext = Record<string, unknown> | null;
export type Page = ReturnType<typeof createPage>;

type Tools = ReadonlyMap<string, ClientTool | null>;

/** As the service takes them: no other property, and not those that were taken away. */
const offeredTools = (tools: Tools) =>
  [...tools.values()].flatMap((tool) =>
    tool ? { name: tool.name, description: tool.description, parameters: tool.parameters } : [],
  );

/** What one request can carry. */
const maxTools = 20;
const maxToolsLength = 60_000;

/** What the page around the widget has told it. */
export function createPage(host: Element) {
  const page = {
    context: null as PageContext,
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
    /** What has to be known before anything is sent: who the visitor is. */
    ready: undefined as Promise<unknown> | undefined,
    /** Who the visitor is, as the page says; empty for nobody. */
    visitor: '',
    /** A `fetch` that says who the visitor is. */
    send: undefined as typeof fetch | undefined,
    fetch: async (...request: Parameters<typeof fetch>) => {
      await page.ready;
      const response = await (page.send ?? fetch)(...request);
      page.clock.hear(response);
      return response;
    },
    clock: createClock(),
    /** Whether the page lets a message go. */
    maySend: (text: string) => tellPage(host, 'before-send', { text }),
    /** What goes with a message; as JSON, which leaves the functions at home. */
    turnOptions: (visitor: object | null | undefined, context: PageContext): TurnOptions => ({
      ...((context || visitor) && { clientContext: { ...context, ...(visitor && { visitor }) } }),
      ...(page.tools.size > 0 && { clientTools: offeredTools(page.tools) }),
    }),
    /** Tells the page what went wrong, and whoever looks at its console. */
    report(error: ParleyError) {
      console.error(`Parley: ${error.message}`);
      tellPage(host, 'error', { code: error.code, message: error.message });
    },
  };
  return page;
}
