import type { RemoteSettings } from '@parley/protocol/settings/connection';
import type { ApprovedTool } from '@parley/protocol/settings/mcp-connection';
import type { SignInRequired, ToolDelivery, ToolOutcome } from '../tool.ts';
import { McpConnection, type McpConnectionDeps } from './mcp-connection.ts';

/** Visitors whose sessions with a server stay open at once, in one process; those with a call under way besides. */
const maxOpen = 100;

/** A connection that each visitor signs in to: every one of them has a session with its server of their own. */
export class VisitorConnections {
  readonly #settings: RemoteSettings;
  readonly #owner: { readonly tenantId: string; readonly agentId: string };
  readonly #deps: McpConnectionDeps;
  /** By whose it is, the one used last at the end. */
  readonly #open = new Map<string, { readonly connection: McpConnection; calls: number }>();

  constructor(
    settings: RemoteSettings,
    owner: { readonly tenantId: string; readonly agentId: string },
    deps: McpConnectionDeps,
  ) {
    this.#settings = settings;
    this.#owner = owner;
    this.#deps = deps;
  }

  async call(
    tool: ApprovedTool,
    input: Record<string, unknown>,
    { visitor, sessionId, signal }: Pick<ToolDelivery, 'visitor' | 'sessionId' | 'signal'>,
  ): Promise<ToolOutcome | SignInRequired> {
    const { id, url, name } = this.#settings;
    // Who has not proved who they are is signed in for the session alone.
    const whose = { visitor, sessionId: visitor === null ? sessionId : null };
    const outcome = await this.#callAs(whose, (connection) => connection.call(tool, input, { signal }));
    if (outcome.ok || outcome.code !== 'UNAUTHORIZED') return outcome;
    const holder = { ...this.#owner, connectionId: id, ...whose };
    return {
      ok: false,
      code: 'SIGN_IN_REQUIRED',
      message: `The user has to sign in to ${name} first.`,
      signIn: {
        name,
        host: new URL(url).host,
        link: (expiresAt) => this.#deps.signIns.link(holder, expiresAt),
        outcome: (until) => this.#deps.signIns.settled(holder, url, until),
      },
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ connection }) => connection.close()));
  }

  async #callAs<Outcome>(
    whose: { readonly visitor: string | null; readonly sessionId: string | null },
    call: (connection: McpConnection) => Promise<Outcome>,
  ): Promise<Outcome> {
    const key = JSON.stringify(whose);
    const { id: connectionId, url } = this.#settings;
    const open = this.#open.get(key) ?? {
      connection: new McpConnection(this.#settings, {
        ...this.#deps,
        bearer: () => (rejected) => this.#deps.signIns.token({ connectionId, ...whose }, url, rejected),
        // What one visitor finds says nothing of the connection.
        report: () => Promise.resolve(),
      }),
      calls: 0,
    };
    this.#open.delete(key);
    this.#open.set(key, open);
    open.calls += 1;
    try {
      return await call(open.connection);
    } finally {
      open.calls -= 1;
      this.#closeOldest();
    }
  }

  /** Nobody who only asks to be let in ends the call of somebody else. */
  #closeOldest(): void {
    for (const [key, { connection, calls }] of this.#open) {
      if (this.#open.size <= maxOpen) return;
      if (calls > 0) continue;
      this.#open.delete(key);
      void connection.close();
    }
  }
}
