import {
  type ConnectionCreate,
  type ConnectionPatch,
  type ConnectionSettings,
  type ConnectionView,
  connectionSettingsSchema,
  connectionViewSchema,
} from '@parley/protocol/settings/connection';
import { issueMessage } from '@parley/protocol/issue-message';
import type { ComposioSettings } from '@parley/protocol/settings/composio-connection';
import type { RemoteSettings } from '@parley/protocol/settings/connection';
import type { CalendarSettings } from '@parley/protocol/settings/calendar-connection';
import {
  type MailSettings,
  type MailState,
  mailStateSchema,
} from '@parley/protocol/settings/mail-connection';
import { type McpSettings, type McpState, mcpStateSchema } from '@parley/protocol/settings/mcp-connection';
import { z } from 'zod';
import type { SettingsPrincipal } from '../auth/principal.ts';
import type { Secrets } from '../crypto/secrets.ts';
import type { ConnectionRecord, SettingsStore } from '../store/settings-store.ts';
import { agentOf } from './agent.ts';
import { allRecords } from './all-records.ts';
import { chosenTools, rejectSameNames, toolViews, usableTools } from './approved-tools.ts';
import { credentialView } from './credentials.ts';
import { newId } from './id.ts';
import { parseSecrets } from './parse-secrets.ts';
import { patched } from './patch.ts';
import { rejectDivertedMailboxes } from './reject-borrowed-mailboxes.ts';
import type { ResourceDefinition } from './resource.ts';
import { invalid, SettingsError } from './settings-error.ts';
import { UnreadableRecordError } from './unreadable-record-error.ts';

const secretsSchema = z.strictObject({
  token: z.string().optional(),
  password: z.string().optional(),
  apiKey: z.string().optional(),
  clientSecret: z.string().optional(),
});

/** The context that a connection's secrets are encrypted under. */
export const connectionContext = (connectionId: string): string => `secrets of ${connectionId}`;

/** Its settings, secrets opened. Throws `UnreadableRecordError`. */
export function connectionOf(record: ConnectionRecord, secrets: Secrets): ConnectionSettings {
  const { id, agentId, name, kind, config, createdAt } = record;
  try {
    const opened =
      record.secrets === null
        ? {}
        : parseSecrets(secretsSchema, secrets.decrypt(record.secrets, connectionContext(id)));
    return connectionSettingsSchema.parse({
      ...Object(config),
      ...opened,
      id,
      agentId,
      name,
      kind,
      createdAt,
    });
  } catch (error) {
    throw new UnreadableRecordError('connection', id, error);
  }
}

/** What came of the last time that a server was asked; a record that says nothing of it was never asked. */
export function mcpState({ state, createdAt }: ConnectionRecord): McpState {
  const never = { status: 'failed', since: createdAt, problem: null, signedIn: false, server: null } as const;
  return mcpStateSchema.safeParse(state).data ?? { ...never, listed: [] };
}

function mailState({ state, createdAt }: ConnectionRecord): MailState {
  return mailStateSchema.safeParse(state).data ?? { status: 'failed', since: createdAt, problem: null };
}

const asUsed = new WeakMap<ConnectionRecord, ConnectionSettings>();

/** Every connection of an agent as a turn uses it: with the tools that are as they were approved. Oldest first. */
export async function loadConnections(
  { connections }: Pick<SettingsStore, 'connections'>,
  secrets: Secrets,
  agentId: string,
): Promise<ConnectionSettings[]> {
  const found: ConnectionSettings[] = [];
  for await (const record of allRecords(connections, { agentId })) {
    const known = asUsed.get(record) ?? withUsableTools(record, secrets);
    asUsed.set(record, known);
    found.push(known);
  }
  return found;
}

function withUsableTools(record: ConnectionRecord, secrets: Secrets): ConnectionSettings {
  const settings = connectionOf(record, secrets);
  if (settings.kind !== 'mcp' && settings.kind !== 'composio') return settings;
  return { ...settings, tools: usableTools(mcpState(record).listed, settings.tools) };
}

/** What came of asking, and what keeps the address from being called at all. */
export interface CheckedConnection {
  readonly state: McpState | MailState;
  readonly denied: string | null;
}

interface ConnectionDeps {
  readonly settings: SettingsStore;
  readonly secrets: Secrets;
  /** Asks a server for its tools, or to be let in. */
  readonly check: (settings: RemoteSettings | MailSettings) => Promise<CheckedConnection>;
  /** Where the feed of a calendar is. */
  readonly feedUrl: (calendar: { readonly id: string; readonly feedVersion: number }) => string;
  /** Ends every sign-in at the server of a connection. */
  readonly signOutAll: (connectionId: string) => Promise<void>;
}

export function connectionDefinition({
  settings: { agents, connections, members },
  secrets,
  check,
  feedUrl,
  signOutAll,
}: ConnectionDeps): ResourceDefinition<ConnectionRecord, ConnectionCreate, ConnectionPatch, ConnectionView> {
  async function rejectTakenName({ id, agentId, name }: ConnectionSettings): Promise<void> {
    const taken = await connections.list({ where: { agentId, name }, after: null, limit: 2 });
    if (taken.items.some((other) => other.id !== id))
      throw invalid(['name'], 'The agent has a connection of this name already.');
  }

  /** Two would leave open which of them is meant. */
  async function rejectSecondForNotices(settings: ConnectionSettings): Promise<void> {
    if (settings.kind !== 'mail' || settings.notices !== true) return;
    for await (const record of allRecords(connections, { agentId: settings.agentId })) {
      if (record.id === settings.id || record.kind !== 'mail') continue;
      const other = connectionOf(record, secrets);
      if (other.kind === 'mail' && other.notices === true)
        throw invalid(
          ['notices'],
          `They leave by the connection ${other.name}. Switch that off there first.`,
        );
    }
  }

  /** Where it can be asked at all, what came of it. Throws for an address that nobody may call. */
  async function stateOf(settings: ConnectionSettings): Promise<McpState | MailState | null> {
    if (settings.kind === 'calendar') return null;
    const { state, denied } = await check(settings);
    if (denied !== null) throw invalid([settings.kind === 'mail' ? 'host' : 'url'], denied);
    return state;
  }

  /** Whoever has the mail that an approval is answered by answers as the member it was meant for. */
  async function rejectDiversion(
    principal: SettingsPrincipal,
    { agentId }: Pick<ConnectionRecord, 'agentId'>,
    path: string[],
  ): Promise<void> {
    const agent = await agents.get(agentId);
    const mails = agent === null ? [] : agentOf(agent, secrets).settings.approvalMail;
    await rejectDivertedMailboxes(members, principal, mails, path);
  }

  function viewOf(record: ConnectionRecord): ConnectionView {
    const settings = connectionOf(record, secrets);
    if (settings.kind === 'calendar') {
      const { feedVersion: _version, ...shown } = settings;
      return connectionViewSchema.parse({ ...shown, feedUrl: feedUrl(settings) });
    }
    if (settings.kind === 'mail') {
      const { password, ...shown } = settings;
      const secret = password !== undefined && { password: credentialView(password) };
      return connectionViewSchema.parse({ ...shown, ...secret, ...mailState(record) });
    }
    const none = { token: undefined, apiKey: undefined, clientSecret: undefined };
    const { token, apiKey, clientSecret, tools, ...shown } = { ...none, ...settings };
    const { listed, ...state } = mcpState(record);
    return connectionViewSchema.parse({
      ...shown,
      ...(token !== undefined && { token: credentialView(token) }),
      ...(apiKey !== undefined && { apiKey: credentialView(apiKey) }),
      ...(clientSecret !== undefined && { clientSecret: credentialView(clientSecret) }),
      ...state,
      tools: toolViews(settings.name, listed, tools),
    });
  }

  return {
    kind: 'connection',
    nameOf: ({ name }) => name,
    records: connections,
    tenantOf: ({ tenantId }) => tenantId,
    ofTenant: (tenantId) => ({ tenantId }),
    guarded: ['name', 'config', 'secrets'],
    view: viewOf,
    owner: {
      field: 'agentId',
      tenantOf: async ({ agentId }) => (await agents.get(agentId))?.tenantId,
    },
    async create(create, tenantId, principal) {
      if (create.kind === 'mail') await rejectDiversion(principal, create, ['kind']);
      const made = { id: newId('connection'), createdAt: new Date().toISOString() };
      const settings = newConnection({ ...made, ...create });
      await rejectTakenName(settings);
      await rejectSecondForNotices(settings);
      const { id, agentId, kind, createdAt } = settings;
      const state = await stateOf(settings);
      return { record: { id, tenantId, agentId, kind, createdAt, ...recordOf(settings, secrets), state } };
    },
    async patch(record, patch, principal) {
      const before = connectionOf(record, secrets);
      const after = patchedConnection(before, patch, mcpState(record));
      const diverted = divertedField(before, after);
      if (diverted !== null) await rejectDiversion(principal, record, [diverted]);
      if (after.name !== before.name) await rejectTakenName(after);
      await rejectSecondForNotices(after);
      const isElsewhere = JSON.stringify(placeOf(after)) !== JSON.stringify(placeOf(before));
      const fields = { ...recordOf(after, secrets), ...(isElsewhere && { state: await stateOf(after) }) };
      // What somebody has signed in for is not used for anything else.
      if (signInOf(before) !== signInOf(after)) await signOutAll(before.id);
      return fields;
    },
    async replaced(before, after) {
      // Nor is what somebody has signed in for until now.
      const [old, now] = [before, after].map((record) => signInOf(connectionOf(record, secrets)));
      if (old !== now) await signOutAll(after.id);
    },
    async rejectRemoval(record, principal) {
      // Another one of the agent would send them.
      if (record.kind === 'mail') await rejectDiversion(principal, record, []);
    },
    clear: ({ id }) => signOutAll(id),
  };
}

function newConnection(create: ConnectionCreate & { id: string; createdAt: string }): ConnectionSettings {
  if (create.kind === 'mcp') {
    if (create.signIn !== 'none' && create.token !== undefined)
      throw invalid(['token'], 'Where somebody signs in, no other token is sent.');
    rejectUselessClient(create);
    return { ...create, tools: [] };
  }
  if (create.kind === 'composio') {
    rejectMissingAuthConfig(create);
    return { ...create, tools: [] };
  }
  if (create.kind === 'calendar') return { ...create, feedVersion: 0 };
  rejectOpenPassword(create);
  return create;
}

/** What decides who answers a connection. */
function placeOf(settings: ConnectionSettings): unknown[] {
  if (settings.kind === 'calendar') return [];
  if (settings.kind === 'mcp') {
    const { url, token, signIn, clientId, clientIssuer, clientSecret } = settings;
    return [url, token, signIn, clientId, clientIssuer, clientSecret];
  }
  if (settings.kind === 'composio') {
    const { url, toolkit, authConfigId, signIn, apiKey } = settings;
    return [url, toolkit, authConfigId, signIn, apiKey];
  }
  const { host, port, security, user, password } = settings;
  return [host, port, security, user, password];
}

/** The first field by which mail goes another way. */
function divertedField(before: ConnectionSettings, after: ConnectionSettings): string | null {
  if (before.kind !== 'mail' || after.kind !== 'mail') return null;
  const fields = ['host', 'port', 'security', 'user', 'from', 'notices'] as const;
  return fields.find((field) => (before[field] ?? false) !== (after[field] ?? false)) ?? null;
}

/** What somebody has signed in for; it is not used for anything else. */
const signInOf = (settings: ConnectionSettings): string =>
  settings.kind === 'mcp'
    ? JSON.stringify([settings.signIn, settings.clientId, settings.clientIssuer, settings.clientSecret])
    : settings.kind === 'composio'
      ? JSON.stringify([settings.signIn, settings.toolkit, settings.authConfigId])
      : '';

type OwnClient = Pick<McpSettings, 'signIn' | 'clientId' | 'clientIssuer' | 'clientSecret'>;

function rejectUselessClient({ signIn, clientId, clientIssuer, clientSecret }: OwnClient): void {
  if (signIn === 'none' && clientId !== undefined)
    throw invalid(['clientId'], 'Where nobody signs in, no client is known by it.');
  if (clientSecret !== undefined && clientId === undefined)
    throw invalid(['clientSecret'], 'Enter the id of the client that it belongs to.');
  if (clientIssuer !== undefined && clientId === undefined)
    throw invalid(['clientIssuer'], 'Enter the id of the client that was registered there.');
  // Whoever the server of tools names would be shown the secret.
  if (clientId !== undefined && clientIssuer === undefined)
    throw invalid(['clientIssuer'], 'Enter the issuer of the authorization server that knows the client.');
}

function rejectMissingAuthConfig({
  signIn,
  authConfigId,
}: Pick<ComposioSettings, 'signIn' | 'authConfigId'>): void {
  if (signIn !== 'none' && authConfigId === '')
    throw invalid(['authConfigId'], 'Enter the auth config that accounts are connected by.');
}

function rejectOpenPassword({ security, password }: Pick<MailSettings, 'security' | 'password'>): void {
  if (security === 'none' && password !== undefined)
    throw invalid(['security'], 'A password is sent over an encrypted connection only.');
}

/** Throws a `SettingsError` for fields that a connection of this kind does not have. */
function patchedConnection(
  before: ConnectionSettings,
  patch: ConnectionPatch,
  { listed }: McpState,
): ConnectionSettings {
  const fields =
    before.kind === 'mcp'
      ? mcpFields(before, patch, listed)
      : before.kind === 'composio'
        ? composioFields(before, patch, listed)
        : before.kind === 'mail'
          ? mailFields(before, patch)
          : calendarFields(before, patch);
  const after = connectionSettingsSchema.safeParse(fields, { error: issueMessage });
  if (after.success) {
    if (after.data.kind === 'mail') rejectOpenPassword(after.data);
    if (after.data.kind === 'composio') rejectMissingAuthConfig(after.data);
    if (after.data.kind === 'mcp') rejectUselessClient(after.data);
    if ('tools' in after.data) rejectSameNames(after.data.name, after.data.tools);
    return after.data;
  }
  const issues = after.error.issues.map(({ path, message }) => ({ path: path.map(String), message }));
  throw new SettingsError('invalid', 'A connection of this kind cannot be so.', issues);
}

function mcpFields(
  before: McpSettings,
  { tools, ...patch }: ConnectionPatch,
  listed: McpState['listed'],
): object {
  const { url } = patch;
  const isElsewhere = url !== undefined && new URL(url).origin !== new URL(before.url).origin;
  // What is secret about the one place may not be shown to the other.
  const signsIn = (patch.signIn === undefined ? before.signIn : (patch.signIn ?? 'none')) !== 'none';
  if (signsIn && typeof patch.token === 'string')
    throw invalid(['token'], 'Where somebody signs in, no other token is sent.');
  const isOther = isElsewhere || !signsIn;
  const isNobody = isOther || patch.clientId === null;
  const isAnother =
    isNobody ||
    (patch.clientId ?? before.clientId) !== before.clientId ||
    (patch.clientIssuer ?? before.clientIssuer) !== before.clientIssuer;
  const kept = {
    ...before,
    ...((isElsewhere || signsIn) && { token: undefined }),
    ...(isNobody && { clientId: undefined, clientIssuer: undefined }),
    ...(isAnother && { clientSecret: undefined }),
  };
  return patched(kept, { ...patch, ...(tools && { tools: chosenTools(tools, before.tools, listed) }) });
}

function composioFields(
  before: ComposioSettings,
  { tools, ...patch }: ConnectionPatch,
  listed: McpState['listed'],
): object {
  const { url } = patch;
  const isElsewhere = url !== undefined && new URL(url).origin !== new URL(before.url).origin;
  // What is secret about the one place may not be shown to the other.
  const kept = { ...before, ...(isElsewhere && { apiKey: undefined }) };
  return patched(kept, { ...patch, ...(tools && { tools: chosenTools(tools, before.tools, listed) }) });
}

function mailFields(before: MailSettings, patch: ConnectionPatch): object {
  const isElsewhere = patch.host !== undefined && patch.host !== before.host;
  return patched({ ...before, ...(isElsewhere && { password: undefined }) }, patch);
}

function calendarFields(before: CalendarSettings, { newFeedUrl, ...patch }: ConnectionPatch): object {
  return patched({ ...before }, { ...patch, ...(newFeedUrl && { feedVersion: before.feedVersion + 1 }) });
}

function recordOf(
  settings: ConnectionSettings,
  secrets: Secrets,
): Pick<ConnectionRecord, 'name' | 'config' | 'secrets'> {
  const { id, agentId: _agent, createdAt: _at, name, kind: _kind, ...rest } = settings;
  const none = { token: undefined, password: undefined, apiKey: undefined, clientSecret: undefined };
  const { token, password, apiKey, clientSecret, ...config } = { ...none, ...rest };
  const secret = { token, password, apiKey, clientSecret };
  const hasSecret = Object.values(secret).some((each) => each !== undefined);
  const encrypted = hasSecret ? secrets.encrypt(JSON.stringify(secret), connectionContext(id)) : null;
  return { name, config, secrets: encrypted };
}
