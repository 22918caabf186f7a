import type { TurnOptions } from '@parley/client/session';
import type { ClientTool, VisitorToken } from '../launcher/widget-api.ts';
import { tellPage } from '../panel/tell-page.ts';

export type Page = ReturnType<typeof createPage>;

/** What the page around the widget has told it. */
export function createPage(host: Element) {
  let context: Record<string, unknown> | null = null;
  const tools = new Map<string, ClientTool>();
  let source: VisitorToken | undefined;
  let token: Promise<string> | undefined;
  const renew = () => (token = Promise.resolve(typeof source === 'function' ? source() : source!));

  return {
    tools,
    setContext(values: Record<string, unknown> | null) {
      context = values;
    },
    /** Whether the page lets a message go. */
    maySend: (text: string) => tellPage(host, 'before-send', { text }),
    /** What goes with a message. */
    turnOptions: (): TurnOptions => ({
      ...(context && { clientContext: context }),
      ...(tools.size > 0 && {
        clientTools: [...tools.values()].map(({ name, description, parameters }) => ({
          name,
          description,
          parameters,
        })),
      }),
    }),
    /** The visitor's token from now on; without one, nobody's. */
    identify(next?: VisitorToken): Promise<string> | undefined {
      source = next;
      token = undefined;
      return next === undefined ? undefined : renew();
    },
    /** A `fetch` that says who the visitor is, and asks for a new token once the old one is refused. */
    fetchAs:
      (platform: string): typeof fetch =>
      async (address, init) => {
        const send = async () =>
          fetch(address, {
            ...init,
            headers: {
              ...(init?.headers as Record<string, string>),
              ...(token && { [`x-${platform}-visitor-token`]: await token }),
            },
          });
        const response = await send();
        if (response.status !== 401 || typeof source !== 'function') return response;
        void renew();
        return send();
      },
  };
}
