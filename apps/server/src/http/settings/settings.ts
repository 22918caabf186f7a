import type { Secrets } from '../../crypto/secrets.ts';
import { agentDefinition } from '../../settings/agent.ts';
import { keyDefinition } from '../../settings/key.ts';
import type { Knowledge } from '../../knowledge/knowledge.ts';
import { Resource } from '../../settings/resource.ts';
import { sourceDefinition } from '../../settings/source.ts';
import { tenantDefinition } from '../../settings/tenant.ts';
import { toolDefinition } from '../../settings/tool.ts';
import type { SettingsStore } from '../../store/settings-store.ts';
import type { Store } from '../../store/store.ts';
import type { ToolRegistry } from '../../tool/registry.ts';
import { feedbackListHandlers } from './feedback.ts';
import { regenerateKeyHandlers } from './regenerate-key.ts';
import { resourceHandlers } from './resource-handlers.ts';
import { testToolHandlers } from './test-tool.ts';

interface SettingsHandlersDeps {
  readonly store: Store;
  readonly settings: SettingsStore;
  readonly secrets: Secrets;
  /** Ends every session of an agent that was removed. */
  readonly endSessionsOf: (agentId: string) => Promise<void>;
  readonly toolRegistry: ToolRegistry;
  readonly knowledge: Knowledge;
}

/** The settings API. */
export function settingsHandlers(deps: SettingsHandlersDeps) {
  const { store, settings, secrets, endSessionsOf, toolRegistry, knowledge } = deps;
  const sources = new Resource(
    sourceDefinition({
      settings,
      read: (record) => knowledge.read(record),
      forget: (record) => knowledge.forget(record),
    }),
  );
  const agents = new Resource(
    agentDefinition({ settings, secrets, endSessionsOf, removeSource: (record) => sources.remove(record) }),
  );
  const keys = new Resource(keyDefinition(settings));
  const tools = new Resource(toolDefinition({ settings, secrets, toolRegistry }));
  const tenants = new Resource(
    tenantDefinition({
      settings,
      removeKey: (record) => keys.remove(record),
      removeAgent: (record) => agents.remove(record),
    }),
  );
  return {
    ...resourceHandlers('Tenant', tenants),
    ...resourceHandlers('Agent', agents),
    ...resourceHandlers('Key', keys),
    ...regenerateKeyHandlers(keys),
    ...resourceHandlers('Tool', tools),
    ...resourceHandlers('Source', sources),
    ...testToolHandlers({ tools, secrets, toolRegistry }),
    ...feedbackListHandlers({ agents, store }),
  };
}
