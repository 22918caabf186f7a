import type { TurnOptions } from '@parley/client/session';
import type { ClientTool } from '../launcher/widget-api.ts';
import { tellPage } from '../panel/tell-page.ts';

/** What the page has told of itself. */
export type PageContext = Record<string, unknown> | null;
export type Page = ReturnType<typeof createPage>;

/** What the page around the widget has told it. */
export function createPage(host: Element) {
  const page = {
    context: null as PageContext,
    /** By name; null for one that was taken away, of which the agent has to be told. */
    tools: new Map<string, ClientTool | null>(),
    /** What has to be known before anything is sent: who the visitor is. */
    ready: undefined as Promise<unknown> | undefined,
    /** Who the visitor is, as the page says; empty for nobody. */
    visitor: '',
    /** A `fetch` that says who the visitor is. */
    send: undefined as typeof fetch | undefined,
    fetch: async (...request: Parameters<typeof fetch>) => {
      await page.ready;
      return (page.send ?? fetch)(...request);
    },
    /** Whether the page lets a message go. */
    maySend: (text: string) => tellPage(host, 'before-send', { text }),
    /** What goes with a message; as JSON, which leaves the functions at home. */
    turnOptions: (visitor: object | null | undefined, context: PageContext): TurnOptions => ({
      ...((context || visitor) && { clientContext: { ...context, ...(visitor && { visitor }) } }),
      ...(page.tools.size > 0 && { clientTools: [...page.tools.values()].filter((tool) => !!tool) }),
    }),
  };
  return page;
}
