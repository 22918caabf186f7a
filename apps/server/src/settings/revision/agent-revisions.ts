import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { AgentCreate, AgentPatch, AgentView } from '@parley/protocol/settings/agent';
import type {
  ComparedRevision,
  DraftPatch,
  DraftView,
  RevisionRestore,
  RevisionSettings,
  RevisionView,
} from '@parley/protocol/settings/revision';
import type { SettingsPrincipal } from '../../auth/principal.ts';
import type { Secrets } from '../../crypto/secrets.ts';
import type { DraftRecord, RevisionRecord } from '../../store/revision-store.ts';
import type { AgentRecord } from '../../store/agent-record.ts';
import type { Page } from '../../store/page.ts';
import type { SettingsStore } from '../../store/settings-store.ts';
import { type Agent, agentOf, agentView, patchAgent } from '../agent.ts';
import { encryptAgentSecrets, isSamePlace } from '../credentials.ts';
import { readable } from '../readable.ts';
import { rejectBorrowedMailboxes } from '../reject-borrowed-mailboxes.ts';
import { rejectUnknownApprovers } from '../reject-unknown-approvers.ts';
import type { Resource } from '../resource.ts';
import { conflict, notFound } from '../settings-error.ts';
import { changedFields } from './changed-fields.ts';
import { changedDraft, discardedDraft, type DraftChange } from './draft-change.ts';
import { type Draft, encryptDraftCredentials, loadDraft } from './draft.ts';
import { settingsOf, snapshotOf } from './snapshot.ts';
import { authorOf, writeAgent } from './write-agent.ts';

/** How often a change of the draft that another one has overtaken is made again. */
const maxAttempts = 8;

interface SeenDraft {
  readonly changedAt?: string | undefined;
}

interface AgentRevisionsDeps {
  readonly agents: Pick<Resource<AgentRecord, AgentCreate, AgentPatch, AgentView>, 'find' | 'change'>;
  readonly settings: Pick<SettingsStore, 'agents' | 'members' | 'revisions'>;
  readonly secrets: Secrets;
}

/** What is not published of an agent, and what was. */
export class AgentRevisions {
  readonly #deps: AgentRevisionsDeps;

  constructor(deps: AgentRevisionsDeps) {
    this.#deps = deps;
  }

  async readDraft(principal: SettingsPrincipal, id: string): Promise<DraftView> {
    const live = await this.#live(principal, id);
    return draftView(live, await this.#draft(live));
  }

  /** `changedAt`, here and below, is that of the draft that was seen. Throws `conflict`. */
  async updateDraft(
    principal: SettingsPrincipal,
    id: string,
    { changedAt, ...patch }: DraftPatch,
  ): Promise<DraftView> {
    const { secrets, settings } = this.#deps;
    return this.#writeDraft(principal, id, async (live, draft) => {
      rejectUnseen(draft.record, changedAt);
      // On top of what was entered, not of what it is together with live: what is in conflict stays it.
      const entered = draft.record ? settingsOf(live, draft.record) : live.settings;
      const before = withSettings(draft.agent, entered);
      const after = agentOf(await patchAgent(before, patch, secrets), secrets);
      const { approvalMail } = entered;
      await rejectUnknownApprovers(
        settings.members,
        live.tenantId,
        patch.approvalMail ?? undefined,
        approvalMail,
      );
      const isLive = isDeepStrictEqual(after.credentials, live.credentials);
      const isEntered = patch.model !== undefined || draft.record?.credentials != null;
      return {
        base: draft.record?.base ?? live.revision,
        before,
        after,
        credentials: isLive || !isEntered ? null : encryptDraftCredentials(secrets, id, after.credentials),
      };
    });
  }

  async discardDraft(principal: SettingsPrincipal, id: string, { changedAt }: SeenDraft): Promise<void> {
    const { agents, settings, secrets } = this.#deps;
    const record = await agents.find(principal, id);
    const draft = changedAt === undefined ? null : await settings.revisions.getDraft(id);
    rejectUnseen(draft, changedAt);
    const change = await discardedDraft(settings.revisions, secrets, { principal, record });
    const isGone = await settings.revisions.removeDraft(id, draft?.version, change);
    if (draft !== null && !isGone) throw unseen();
  }

  /** `live` names the revision whose changes the draft may go over. */
  async publish(
    principal: SettingsPrincipal,
    id: string,
    {
      note,
      live: seen,
      changedAt,
    }: SeenDraft & { readonly note?: string | undefined; readonly live?: number | undefined },
  ): Promise<DraftView> {
    const { agents, secrets } = this.#deps;
    let version: string | null = null;
    await agents.change(
      principal,
      id,
      async (record) => {
        const live = agentOf(record, secrets);
        const draft = await this.#draft(live);
        version = draft.record?.version ?? null;
        rejectUnseen(draft.record, changedAt);
        if (changedFields(live, draft.agent).length === 0) return {};
        if (draft.conflicts.length > 0 && seen !== live.revision) throw overtaken(draft.conflicts);
        return fieldsOf(secrets, draft.agent);
      },
      (...write) => writeAgent(this.#deps, ...write, { note: note ?? null, draft: version }),
    );
    // Left by a draft that changes nothing.
    if (version !== null) await this.#deps.settings.revisions.removeDraft(id, version);
    return this.readDraft(principal, id);
  }

  async list(
    principal: SettingsPrincipal,
    id: string,
    { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
  ): Promise<Page<RevisionView>> {
    await this.#deps.agents.find(principal, id);
    const page = await this.#deps.settings.revisions.list({ agentId: id, after: cursor ?? null, limit });
    return { items: page.items.map(revisionView), next: page.next };
  }

  async read(
    principal: SettingsPrincipal,
    id: string,
    revision: number,
    compareWith: 'live' | 'draft',
  ): Promise<ComparedRevision> {
    const live = await this.#live(principal, id);
    const record = await this.#revision(id, revision);
    return readable(async () => {
      // A revision has no credentials.
      const then = { ...live, settings: settingsOf(live, record), credentials: {} };
      const other = compareWith === 'live' ? live : (await this.#draft(live)).agent;
      return {
        ...revisionView(record),
        settings: revisionSettings(then),
        changes: changedFields(then, { ...other, credentials: {} }),
      };
    });
  }

  /** Into the draft, or live at once; a draft with changes makes room only where that is said. Throws `conflict`. */
  async restore(
    principal: SettingsPrincipal,
    id: string,
    revision: number,
    { to, replaceDraft, changedAt }: RevisionRestore,
  ): Promise<DraftView> {
    const { agents, secrets } = this.#deps;
    await agents.find(principal, id);
    const record = await this.#revision(id, revision);
    if (to === 'draft')
      return this.#writeDraft(principal, id, async (live, draft) => {
        rejectUnseen(draft.record, changedAt);
        if (!replaceDraft && changedFields(live, draft.agent).length > 0) throw unpublished();
        const after = withSettings(live, settingsOf(live, record));
        return { base: live.revision, before: draft.agent, after, credentials: null };
      });
    await agents.change(
      principal,
      id,
      async (stored) => {
        const live = agentOf(stored, secrets);
        if (changedAt !== undefined) rejectUnseen((await this.#draft(live)).record, changedAt);
        return fieldsOf(secrets, withSettings(live, settingsOf(live, record)));
      },
      (...write) => writeAgent(this.#deps, ...write, { note: `Revision ${revision} again`, draft: null }),
    );
    return this.readDraft(principal, id);
  }

  async #live(principal: SettingsPrincipal, id: string): Promise<Agent> {
    const record = await this.#deps.agents.find(principal, id);
    return readable(() => agentOf(record, this.#deps.secrets));
  }

  #draft(live: Agent): Promise<Draft> {
    return readable(() => loadDraft(this.#deps.settings.revisions, this.#deps.secrets, live));
  }

  async #revision(id: string, revision: number): Promise<RevisionRecord> {
    const record = await this.#deps.settings.revisions.get(id, revision);
    if (record === null) throw notFound();
    return record;
  }

  async #writeDraft(
    principal: SettingsPrincipal,
    id: string,
    make: (live: Agent, draft: Draft) => Promise<Pick<DraftRecord, 'base' | 'credentials'> & DraftChange>,
  ): Promise<DraftView> {
    const { revisions, members } = this.#deps.settings;
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const live = await this.#live(principal, id);
      const draft = await this.#draft(live);
      const { before, after, ...made } = await readable(() => make(live, draft));
      // Who tries a draft out is answered by its mailboxes, too.
      const named = [live, before].flatMap(({ settings }) => settings.approvalMail ?? []);
      await rejectBorrowedMailboxes(members, principal, after.settings.approvalMail, named);
      const record: DraftRecord = {
        ...made,
        ...snapshotOf(recordFields(after.settings)),
        agentId: id,
        version: randomUUID(),
        // Another one with every change, whatever the clocks say.
        changedAt: Math.max(Date.now(), (draft.record?.changedAt ?? 0) + 1),
        author: authorOf(principal),
      };
      const change = changedDraft(principal, { before, after });
      if (await revisions.saveDraft(record, draft.record?.version ?? null, change))
        return this.readDraft(principal, id);
    }
    throw conflict('Others change this draft at the same moment. Try again.');
  }
}

function recordFields({
  id: _id,
  tenantId: _tenant,
  name,
  active: _active,
  createdAt: _at,
  ...config
}: Agent['settings']) {
  return { name, config };
}

/** What is written of an agent when this is to be live; what applies at once stays as it is. */
function fieldsOf(secrets: Secrets, agent: Agent): Pick<AgentRecord, 'name' | 'config' | 'credentials'> {
  return { ...recordFields(agent.settings), credentials: encryptAgentSecrets(secrets, agent, agent.id) };
}

/** Credentials stay only where they were entered for. */
function withSettings(agent: Agent, settings: Agent['settings']): Agent {
  const credentials = isSamePlace(agent.settings.model, settings.model) ? agent.credentials : {};
  return { ...agent, name: settings.name, settings, credentials };
}

function draftView(live: Agent, { record, agent, conflicts }: Draft): DraftView {
  return {
    agentId: live.id,
    live: live.revision,
    base: record?.base ?? live.revision,
    changes: changedFields(live, agent),
    conflicts: [...conflicts],
    changedAt: record && new Date(record.changedAt).toISOString(),
    author: record && record.author,
    agent: agentView(agent),
  };
}

function revisionView({
  revision,
  at,
  author,
  note,
  fields,
}: Omit<RevisionRecord, 'name' | 'config'>): RevisionView {
  return { revision, at: new Date(at).toISOString(), author, note, fields: [...fields] };
}

function revisionSettings(agent: Agent): RevisionSettings {
  const { id: _id, tenantId: _tenant, createdAt: _at, revision: _revision, ...view } = agentView(agent);
  const {
    active: _active,
    pauseMessage: _message,
    identity: _identity,
    savedQuestions: _questions,
    ...settings
  } = view;
  return settings;
}

function rejectUnseen(draft: DraftRecord | null, seen: string | null | undefined): void {
  if (seen === undefined) return;
  const seenAt = seen === null ? null : Date.parse(seen);
  if (seenAt !== (draft === null ? null : draft.changedAt)) throw unseen();
}

const unseen = () =>
  conflict('The draft was changed meanwhile, and nothing was done. Look at it as it is now, and try again.');

const overtaken = (fields: readonly string[]) =>
  conflict(
    `What is live was changed meanwhile, and so was the draft: ${fields.slice(0, 10).join(', ')}. Look at both, and name the live revision to publish over it.`,
  );

const unpublished = () =>
  conflict('The draft has changes that are not published. Say that they may go, or publish them first.');
