import type { ConsoleCookie } from '../../auth/console-cookie.ts';
import type { PreviewKeys } from '../../auth/preview-keys.ts';
import type { Config } from '../../config.ts';
import type { Secrets } from '../../crypto/secrets.ts';
import type { Egress } from '../../egress/egress.ts';
import { agentDefinition } from '../../settings/agent-definition.ts';
import { invitationDefinition } from '../../settings/invitation.ts';
import { keyDefinition } from '../../settings/key.ts';
import type { Knowledge } from '../../knowledge/knowledge.ts';
import { memberDefinition } from '../../settings/member.ts';
import { Resource } from '../../settings/resource.ts';
import { AgentRevisions } from '../../settings/revision/agent-revisions.ts';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import { sourceDefinition } from '../../settings/source.ts';
import { tenantDefinition } from '../../settings/tenant.ts';
import { toolDefinition } from '../../settings/tool.ts';
import type { SettingsStore } from '../../store/settings-store.ts';
import type { Store } from '../../store/store.ts';
import type { ToolRegistry } from '../../tool/registry.ts';
import { auditHandlers } from './audit.ts';
import { consoleSessionHandlers } from './console-sessions.ts';
import { feedbackListHandlers } from './feedback.ts';
import { invitationHandlers } from './invitations.ts';
import { memberHandlers } from './members.ts';
import { openQuestionHandlers } from './open-questions.ts';
import { readSourceAgainHandlers } from './read-source-again.ts';
import { regenerateKeyHandlers } from './regenerate-key.ts';
import { resourceHandlers } from './resource-handlers.ts';
import { revisionHandlers } from './revisions.ts';
import { signInHandlers } from './sign-in.ts';
import { testModelHandlers } from './test-model.ts';
import { sourceFileHandlers } from './source-files.ts';
import { testToolHandlers } from './test-tool.ts';
import { toolDocumentHandlers } from './tool-document.ts';
import { Trials } from './trials.ts';
import { websiteHandlers } from './websites.ts';

interface SettingsHandlersDeps {
  readonly store: Store;
  readonly settings: SettingsStore;
  readonly secrets: Secrets;
  readonly previews: PreviewKeys;
  /** Ends every session of an agent that was removed. */
  readonly endSessionsOf: (agentId: string) => Promise<void>;
  readonly toolRegistry: ToolRegistry;
  readonly knowledge: Knowledge;
  readonly cookie: ConsoleCookie;
  /** The only way out of the process, for what is tried out. */
  readonly egress: Egress;
  readonly providerKeys: Config['providerKeys'];
  readonly cache: SettingsCache;
  readonly ownOrigins: ReadonlySet<string>;
}

/** The settings API. */
export function settingsHandlers(deps: SettingsHandlersDeps) {
  const { store, settings, secrets, previews, endSessionsOf, toolRegistry, knowledge, cookie, egress } = deps;
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
  const members = new Resource(memberDefinition(settings));
  const invitations = new Resource(invitationDefinition(settings));
  const trials = new Trials(store, settings.audit);
  const signIn = { stored: settings, limits: store, secrets, cookie };
  return {
    ...resourceHandlers('Tenant', tenants),
    ...resourceHandlers('Agent', agents),
    ...revisionHandlers({ revisions: new AgentRevisions({ agents, settings, secrets }), previews }),
    ...resourceHandlers('Key', keys),
    ...regenerateKeyHandlers(keys),
    ...resourceHandlers('Tool', tools),
    ...resourceHandlers('Source', sources),
    ...readSourceAgainHandlers(sources, (record) => knowledge.read(record)),
    ...openQuestionHandlers({ agents, sources, stored: settings, questions: store }),
    ...sourceFileHandlers({ agents, sources, knowledge, limits: store }),
    ...websiteHandlers({ ...deps, sources, agents, limits: store }),
    ...testToolHandlers({ tools, agents: settings.agents, secrets, toolRegistry, trials }),
    ...toolDocumentHandlers({ agents: settings.agents, egress, trials }),
    ...testModelHandlers({ agents, secrets, egress, providerKeys: deps.providerKeys, trials }),
    ...feedbackListHandlers({ agents, store }),
    ...signInHandlers(signIn),
    ...consoleSessionHandlers(signIn),
    ...memberHandlers(members, settings.members),
    ...invitationHandlers(invitations),
    ...auditHandlers(settings.audit),
  };
}
