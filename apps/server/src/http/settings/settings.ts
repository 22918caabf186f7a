import type { ConsoleCookie } from '../../auth/console-cookie.ts';
import { relyingPartyOf } from '../../auth/passkeys.ts';
import type { PreviewKeys } from '../../auth/preview-keys.ts';
import type { Config } from '../../config.ts';
import type { Secrets } from '../../crypto/secrets.ts';
import type { Egress } from '../../egress/egress.ts';
import type { Bus } from '../../bus/bus.ts';
import type { EventBus } from '../../events/event-bus.ts';
import type { Logger } from '../../logger.ts';
import { handBackAbandoned } from '../../session/hand-back-abandoned.ts';
import { unassignFormerMembers } from '../../session/unassign-former-members.ts';
import type { Sessions } from '../../session/sessions.ts';
import { agentDefinition } from '../../settings/agent-definition.ts';
import { checkConnection } from '../../settings/connection-reports.ts';
import { checkMail } from '../../settings/check-mail.ts';
import { connectionDefinition } from '../../settings/connection.ts';
import { invitationDefinition } from '../../settings/invitation.ts';
import { keyDefinition } from '../../settings/key.ts';
import type { Mailer } from '../../mail/mailer.ts';
import type { Knowledge } from '../../knowledge/knowledge.ts';
import { memberDefinition } from '../../settings/member.ts';
import { Resource } from '../../settings/resource.ts';
import { AgentRevisions } from '../../settings/revision/agent-revisions.ts';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import { sourceDefinition } from '../../settings/source.ts';
import { tenantDefinition } from '../../settings/tenant.ts';
import { toolDefinition } from '../../settings/tool.ts';
import { webhookDefinition } from '../../settings/webhook.ts';
import type { SettingsStore } from '../../store/settings-store.ts';
import type { Store } from '../../store/store.ts';
import type { ToolRegistry } from '../../tool/registry.ts';
import type { WebhookDirectory } from '../../webhook/webhook-directory.ts';
import type { WebhookOutbox } from '../../webhook/webhook-outbox.ts';
import { auditHandlers } from './audit.ts';
import { checkConnectionHandlers } from './check-connection.ts';
import { consoleSessionHandlers } from './console-sessions.ts';
import { feedbackListHandlers } from './feedback.ts';
import { invitationHandlers } from './invitations.ts';
import { memberHandlers } from './members.ts';
import { NewSessions } from './new-sessions.ts';
import { openQuestionHandlers } from './open-questions.ts';
import { ownPictureHandlers } from './own-picture.ts';
import { passkeyHandlers } from './passkeys.ts';
import { readSourceAgainHandlers } from './read-source-again.ts';
import { regenerateKeyHandlers } from './regenerate-key.ts';
import { resourceHandlers } from './resource-handlers.ts';
import { revisionHandlers } from './revisions.ts';
import { secondFactorHandlers } from './second-factor.ts';
import { SignInAttempts } from './sign-in-attempts.ts';
import { signInHandlers } from './sign-in.ts';
import { testModelHandlers } from './test-model.ts';
import { sourceFileHandlers } from './source-files.ts';
import type { SignIns } from '../../sign-in/sign-ins.ts';
import { agentBearer } from '../../sign-in/agent-bearer.ts';
import type { SignInCookie } from '../sign-in/sign-in-cookie.ts';
import { beginSignInHandlers } from '../sign-in/begin-sign-in.ts';
import { testToolHandlers } from './test-tool.ts';
import { toolDocumentHandlers } from './tool-document.ts';
import { Trials } from './trials.ts';
import { tryQuestionHandlers } from './try-question.ts';
import { hurryLanes } from '../../webhook/hurry-lanes.ts';
import { webhookHandlers } from './webhooks.ts';
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
  readonly mailer: Mailer;
  /** Where the feed of a calendar is. */
  readonly feedUrl: (calendar: { readonly id: string; readonly feedVersion: number }) => string;
  readonly providerKeys: Config['providerKeys'];
  readonly cache: SettingsCache;
  readonly ownOrigins: ReadonlySet<string>;
  readonly consoleOrigin: string;
  readonly live: EventBus;
  readonly bus: Pick<Bus, 'publish'>;
  readonly sessions: Sessions;
  readonly logger: Logger;
  readonly signIns: SignIns;
  readonly signInCookie: SignInCookie;
  readonly webhookDirectory: WebhookDirectory;
  readonly webhookOutbox: WebhookOutbox;
}

/** The settings API. */
export function settingsHandlers(deps: SettingsHandlersDeps) {
  const { store, settings, secrets, previews, endSessionsOf, toolRegistry, knowledge, cookie, egress } = deps;
  const { signIns } = deps;
  const mcp = { fetch: egress.fetch, bearer: agentBearer(signIns) };
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
  const connections = new Resource(
    connectionDefinition({
      settings,
      secrets,
      check: (each) => (each.kind === 'mail' ? checkMail(each, deps.mailer) : checkConnection(each, mcp)),
      feedUrl: deps.feedUrl,
      signOutAll: (id) => signIns.signOutAll(id),
    }),
  );
  const webhooks = new Resource(
    webhookDefinition({
      settings,
      secrets,
      refusal: (url) => egress.refusal(url),
      reload: (id) => deps.webhookDirectory.load(id),
      hurry: (id) => hurryLanes(store, id, () => deps.webhookOutbox.queued()),
    }),
  );
  const tenants = new Resource(
    tenantDefinition({
      settings,
      removeKey: (record) => keys.remove(record),
      removeAgent: (record) => agents.remove(record),
      removeWebhook: (record) => webhooks.remove(record),
    }),
  );
  const members = new Resource(memberDefinition(settings));
  const invitations = new Resource(invitationDefinition(settings));
  const trials = new Trials(store, settings.audit);
  const signIn = {
    stored: settings,
    attempts: new SignInAttempts(store, secrets),
    newSessions: new NewSessions({ stored: settings, secrets, cookie }),
    secrets,
    cookie,
  };
  return {
    ...resourceHandlers('Tenant', tenants),
    ...resourceHandlers('Agent', agents),
    ...revisionHandlers({ revisions: new AgentRevisions({ agents, settings, secrets }), previews }),
    ...resourceHandlers('Key', keys),
    ...regenerateKeyHandlers(keys),
    ...resourceHandlers('Tool', tools),
    ...resourceHandlers('Source', sources),
    ...resourceHandlers('Connection', connections),
    ...checkConnectionHandlers({
      connections,
      stored: settings.connections,
      secrets,
      mcp,
      mailer: deps.mailer,
      trials,
    }),
    ...beginSignInHandlers({
      connections,
      stored: settings.connections,
      audit: settings.audit,
      secrets,
      signIns,
      cookie: deps.signInCookie,
      ownOrigins: deps.ownOrigins,
      consoleOrigin: deps.consoleOrigin,
      mcp,
      trials,
    }),
    ...readSourceAgainHandlers(sources, (record) => knowledge.read(record)),
    ...openQuestionHandlers({ agents, sources, stored: settings, questions: store }),
    ...sourceFileHandlers({ agents, sources, knowledge, limits: store }),
    ...resourceHandlers('Webhook', webhooks),
    ...webhookHandlers({
      webhooks,
      store,
      secrets,
      egress,
      trials,
      audit: settings.audit,
      queued: () => deps.webhookOutbox.queued(),
    }),
    ...websiteHandlers({ ...deps, sources, agents, limits: store }),
    ...testToolHandlers({ tools, agents: settings.agents, secrets, toolRegistry, trials }),
    ...toolDocumentHandlers({ agents: settings.agents, egress, trials }),
    ...testModelHandlers({ agents, secrets, egress, providerKeys: deps.providerKeys, trials }),
    ...tryQuestionHandlers({ ...deps, agents, trials }),
    ...feedbackListHandlers({ agents, store }),
    ...signInHandlers(signIn),
    ...ownPictureHandlers({ memberPictures: settings.memberPictures, limits: store }),
    ...consoleSessionHandlers(signIn),
    ...secondFactorHandlers({ ...signIn, issuer: `Parley ${new URL(deps.consoleOrigin).host}` }),
    ...passkeyHandlers({ ...signIn, relyingParty: relyingPartyOf(deps.consoleOrigin) }),
    ...memberHandlers(members, settings, () => {
      handBackAbandoned(deps)
        .then(() => unassignFormerMembers(deps))
        .catch((error: unknown) =>
          deps.logger.warn({ err: error }, 'a conversation could not be handed back'),
        );
    }),
    ...invitationHandlers(invitations, settings.members),
    ...auditHandlers(settings.audit),
  };
}
