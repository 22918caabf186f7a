import type { Bus } from './bus/bus.ts';
import type { Egress } from './egress/egress.ts';
import type { ChatTiming } from './http/chat/chat-timing.ts';
import type { ServerTimeouts } from './http/connection/server-timeouts.ts';
import type { resolveAgent } from './resolve-agent.ts';
import type { Store } from './store/store.ts';
import type { createToolRegistry } from './tool/create-tool-registry.ts';

/** What reaches beyond the process. */
export interface ServiceDeps {
  readonly store: Store;
  readonly bus: Bus;
  readonly egress: Egress;
  readonly createToolRegistry: typeof createToolRegistry;
  readonly resolveAgent: typeof resolveAgent;
  readonly chatTiming: ChatTiming;
  readonly serverTimeouts: ServerTimeouts;
}
