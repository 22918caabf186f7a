import { randomUUID } from 'node:crypto';
import { maxNotes, type InboxItem, type ThreadView } from '@parley/protocol/settings/inbox';
import { delegateOf } from '../../approval/delegate-of.ts';
import { standingApprovals, type Team } from '../../approval/standing-approvals.ts';
import { authorize } from '../../auth/authorize.ts';
import type { SettingsPrincipal } from '../../auth/principal.ts';
import type { Bus } from '../../bus/bus.ts';
import type { TeamAction, TeamMember } from '../../session/queue-item.ts';
import type { TeamActionResult } from '../../session/send-team-action.ts';
import type { MessageSearch } from '../../search/message-search.ts';
import type { Sessions } from '../../session/sessions.ts';
import type { SessionState } from '../../session/state/schema.ts';
import { readState } from '../../session/state/read-state.ts';
import { agentsInScope } from '../../settings/agents-in-scope.ts';
import { changeRecord } from '../../settings/audit.ts';
import { conflict, dangling, invalid, notFound } from '../../settings/settings-error.ts';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import type { InboxStore } from '../../store/inbox-store.ts';
import type { SessionRecord } from '../../store/session-store.ts';
import type { Store } from '../../store/store.ts';
import type { Handlers } from '../handlers.ts';
import { ProblemError } from '../problem.ts';
import type { ConversationStreams } from './conversation-streams.ts';
import { approverPage } from './approver-page.ts';
import { delegationHandlers } from './delegations.ts';
import { handBackSummary } from './hand-back-summary.ts';
import { inboxItem, standing } from './inbox-item.ts';
import type { InboxStreams } from './inbox-streams.ts';
import { noteHandlers, type NoteNames } from './notes.ts';
import { presenceHandlers } from './presence.ts';
import { searchInbox } from './search-inbox.ts';
import { isAdmin, shownMember, teamMember } from './team-member.ts';
import {
  approvalsIn,
  approvalView,
  questionsOf,
  type TeamRequestDeps,
  teamRequestHandlers,
} from './team-requests.ts';

/** What the agent may be told once there is no room for notes. */
const maxWhispers = 100;
/** Turns that are looked at for one page of the list. */
const maxLookedAt = 200;

export interface InboxHandlersDeps {
  readonly store: Store;
  readonly settings: Pick<SettingsCache, 'agent'>;
  readonly sessions: Pick<Sessions, 'act'>;
  readonly streams: ConversationStreams;
  readonly lists: InboxStreams;
  readonly bus: Pick<Bus, 'publish'>;
  readonly invalidArguments: TeamRequestDeps['invalidArguments'];
  readonly messages: MessageSearch;
}

type Names =
  | 'listInbox'
  | 'streamInbox'
  | 'notePresence'
  | 'listColleagues'
  | 'readThread'
  | 'streamConversation'
  | 'takeOverConversation'
  | 'sendTeamMessage'
  | 'handBackConversation'
  | 'whisperToAgent'
  | 'answerApproval'
  | 'amendApproval'
  | 'delegateApproval'
  | 'listApprovers'
  | 'answerTeamQuestion'
  | 'assignConversation'
  | NoteNames;

/** How the team works on conversations. */
export function inboxHandlers(deps: InboxHandlersDeps): Handlers<Names> {
  const { store, settings, sessions, streams, lists, bus, messages, invalidArguments } = deps;

  /** Throws the same for what does not exist, what is another tenant's and what the team has no part in. */
  async function find(principal: SettingsPrincipal, id: string): Promise<SessionRecord> {
    const found = await store.getSession(id);
    if (found?.interface !== 'sessions' || !authorize(principal, found.tenantId)) throw notFound();
    return found;
  }

  const changed = (sessionId: string) => bus.publish({ topic: 'threadChanged', sessionId });

  async function threadView(id: string): Promise<ThreadView> {
    const [[thread], notes, session] = await Promise.all([
      store.getThreads([id]),
      store.listNotes(id),
      store.getSession(id),
    ]);
    const state = session?.status === 'open' ? readState(session) : null;
    const hold = state?.hold ?? null;
    return {
      ...standing(thread),
      holder: hold && { id: hold.member.id, name: hold.member.name },
      notes: notes.map(({ at, ...note }) => ({ ...note, at: new Date(at).toISOString() })),
      approvals: session && state ? await approvals(session, state) : [],
      questions: state ? questionsOf(state) : [],
      summary: session && hold && (await handBackSummary(store, session, hold.fromIndex)),
    };
  }

  const teamOf = async ({
    tenantId,
    agentId,
  }: Pick<SessionRecord, 'tenantId' | 'agentId'>): Promise<Team> => ({
    members: store.settings.members,
    webhooks: store.settings.webhooks,
    tenantId,
    agentId,
    approvalMail: (await settings.agent(agentId))?.settings.approvalMail,
  });

  async function approvals({ tenantId, agentId }: SessionRecord, state: SessionState) {
    const found = approvalsIn(state);
    const team = await teamOf({ tenantId, agentId });
    return Promise.all(
      found.map(async (asked) => {
        const pending = await standingApprovals(team, asked);
        return approvalView(state, pending, await delegateOf(team, pending));
      }),
    );
  }

  async function act(
    principal: SettingsPrincipal,
    id: string,
    action: (member: TeamMember) => TeamAction,
    messageId?: string,
  ): Promise<ThreadView> {
    const session = await find(principal, id);
    const member = await shownMember(store.settings, principal);
    const doing = action(member);
    const hold = readState(session).hold;
    const isDone = doing.kind === 'take-over' && hold?.member.id === member.id;
    if (!isDone) {
      const repeatable =
        messageId === undefined
          ? null
          : { caller: member.id, route: id, key: messageId, request: JSON.stringify(doing) };
      rejectUndone(await sessions.act(session, doing, repeatable), doing);
    }
    return threadView(id);
  }

  async function pageOf(
    of: Parameters<InboxStore['listThreads']>[0],
  ): Promise<{ items: InboxItem[]; next: string | null }> {
    const page = await store.listThreads(of);
    const found = await store.getConversations(page.items.map(({ sessionId }) => sessionId));
    const items = page.items.flatMap((thread) => {
      const conversation = found.find(({ id }) => id === thread.sessionId);
      return conversation ? [inboxItem(conversation, thread)] : [];
    });
    return { items, next: page.next };
  }

  return {
    async listInbox({ response, principal, query }) {
      const { view, search, memberId = teamMember(principal).id, cursor = null, limit } = query;
      const { tenantId, agents } = await agentsInScope(store.settings, principal, query);
      const of = { agentIds: agents.map(({ id }) => id), after: cursor, limit };
      if (search !== undefined) {
        const inbox = view === 'mine' ? { memberId } : view;
        const found = await searchInbox({ store, messages }, { ...of, tenantId, inbox, search });
        return void response.json(found);
      }
      if (view === 'waiting') return void response.json(await pageOf({ ...of, of: view }));
      if (view === 'mine') return void response.json(await pageOf({ ...of, of: { memberId } }));
      const range = { from: 0, before: Number.MAX_SAFE_INTEGER };
      const page = await store.listConversations({ ...of, ...range, inbox: view, maxLookedAt });
      const threads = await store.getThreads(page.items.map(({ id }) => id));
      const items = page.items.map((conversation) =>
        inboxItem(
          conversation,
          threads.find(({ sessionId }) => sessionId === conversation.id),
        ),
      );
      response.json({ items, next: page.next });
    },

    async listColleagues({ response, principal, query }) {
      const { tenantId } = await agentsInScope(store.settings, principal, { tenantId: query.tenantId });
      response.json(await approverPage(store.settings.members, principal, tenantId, query));
    },

    async streamInbox({ response, principal, query }) {
      const scope = await agentsInScope(store.settings, principal, query);
      if (lists.isFullFor(principal))
        throw new ProblemError('UNAVAILABLE', 'Too many lists are being followed.', { retryAfter: 5 });
      if (!response.closed)
        lists.open(response, principal, { ...scope, isWhole: query.agentId === undefined });
    },

    async readThread({ response, principal, id }) {
      await find(principal, id);
      response.json(await threadView(id));
    },

    async streamConversation({ response, principal, id, query: { startIndex } }) {
      const { nextIndex } = await find(principal, id);
      if (streams.isFullFor(principal))
        throw new ProblemError('UNAVAILABLE', 'Too many conversations are being followed.', {
          retryAfter: 5,
        });
      if (!response.closed) streams.open(response, id, Math.min(startIndex, nextIndex), principal);
    },

    async takeOverConversation({ response, principal, id }) {
      response.json(await act(principal, id, (member) => ({ kind: 'take-over', member })));
    },

    async sendTeamMessage({ response, principal, id, body: { text, id: messageId } }) {
      const say = (member: TeamMember) => ({ kind: 'team-message' as const, member, text });
      response.json(await act(principal, id, say, messageId));
    },

    async whisperToAgent({ response, principal, id, body: { text } }) {
      await find(principal, id);
      // Looked at first: what the team does not find among its notes is not told to the agent.
      if ((await store.listNotes(id)).length >= maxNotes + maxWhispers)
        throw conflict('The agent has been told as much as one conversation keeps.');
      await act(principal, id, (member) => ({ kind: 'whisper', member, text }));
      const { id: authorId, name } = teamMember(principal);
      const note = {
        id: randomUUID(),
        author: { id: authorId, name },
        text: `To the agent: ${text}`,
        at: Date.now(),
      };
      await store.addNote(id, note, Number.MAX_SAFE_INTEGER);
      changed(id);
      response.json(await threadView(id));
    },

    async handBackConversation({ response, principal, id, body: { summary } }) {
      const force = isAdmin(principal);
      response.json(await act(principal, id, (member) => ({ kind: 'hand-back', member, summary, force })));
    },

    ...presenceHandlers(store),
    ...noteHandlers({ store, find, threadView, changed }),
    ...teamRequestHandlers({ find, act, invalidArguments }),
    ...delegationHandlers({ find, act, teamOf, members: store.settings.members }),

    async assignConversation({ response, principal, id, body: { memberId } }) {
      const { tenantId } = await find(principal, id);
      const member = memberId === null ? null : await store.settings.members.get(memberId);
      const isOfTenant = member && (member.tenantId === null || member.tenantId === tenantId);
      if (memberId !== null && !isOfTenant) throw dangling('memberId');
      if (member?.role === 'viewer') throw invalid(['memberId'], 'A viewer may not answer conversations.');
      const assignee = member && { id: member.id, name: member.name };
      const [thread] = await store.getThreads([id]);
      const change = changeRecord(principal, {
        tenantId,
        action: 'updated',
        kind: 'conversation',
        subject: { id, name: null },
        before: { assignee: thread?.assignee ?? null },
        after: { assignee },
      });
      await store.assignThread(id, assignee, change);
      changed(id);
      response.json(await threadView(id));
    },
  };
}

/** Throws where it was not done, or where nobody knows yet. */
function rejectUndone(result: TeamActionResult, { kind }: TeamAction): void {
  switch (result.outcome) {
    case 'done':
      return;
    case 'refused':
      throw conflict(refusal(kind, result.holder));
    case 'overtaken':
      throw conflict('Somebody else was faster. Look at the conversation again.');
    case 'conflict':
      throw invalid(['id'], 'This id was sent with something else.');
    case 'ended':
      throw conflict('The conversation has ended.');
    case 'full':
      throw new ProblemError('QUEUE_FULL', 'Too much waits in this conversation. Try again in a moment.', {
        retryAfter: 5,
      });
    case 'pending':
      throw new ProblemError(
        'UNAVAILABLE',
        'It was accepted and is not done yet: look at the conversation again in a moment.',
        { retryAfter: 2 },
      );
  }
}

function refusal(kind: TeamAction['kind'], holder: TeamMember | null): string {
  if (holder) return `${holder.name} answers in this conversation.`;
  return kind === 'take-over'
    ? 'Nobody can take a task over.'
    : 'The agent answers in this conversation. Take it over first.';
}
