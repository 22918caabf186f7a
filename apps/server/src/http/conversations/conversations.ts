import { setImmediate } from 'node:timers/promises';
import type { Prices } from '@parley/protocol/settings/prices';
import type { ConversationView, LoggedEvent, TurnView } from '@parley/protocol/settings/conversation';
import { authorize } from '../../auth/authorize.ts';
import type { SettingsPrincipal } from '../../auth/principal.ts';
import { withAddresses } from '../../events/file-addresses.ts';
import { redactEvent } from '../../events/redact-event.ts';
import { matchOf } from '../../search/match-of.ts';
import { maxSearched, type MessageSearch } from '../../search/message-search.ts';
import { wordsOfQuery } from '../../search/message-terms.ts';
import type { Sessions } from '../../session/sessions.ts';
import { agentsInScope } from '../../settings/agents-in-scope.ts';
import { changeRecord } from '../../settings/audit.ts';
import { costOf } from '../../settings/cost.ts';
import { notFound } from '../../settings/settings-error.ts';
import { storedPrices } from '../../settings/stored-prices.ts';
import type { ConversationSummary } from '../../store/conversation-store.ts';
import { dayMs } from '../../store/day-ms.ts';
import type { Store } from '../../store/store.ts';
import type { TurnRecord } from '../../store/turn-store.ts';
import type { Handlers } from '../handlers.ts';
import { sendTranscript } from '../sessions/send-transcript.ts';
import { conversationView } from './conversation-view.ts';

/** Turns that are looked at for one page of the list, and messages with the words for one of a search. */
const maxLookedAt = 200;
interface ConversationHandlersDeps {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly messages: MessageSearch;
  /** Ends every stream of a session. */
  readonly endStreams: (sessionId: string) => void;
  readonly fileUrl: (id: string) => string;
}

type Names =
  | 'listConversations'
  | 'readConversation'
  | 'listConversationEvents'
  | 'listConversationTurns'
  | 'readConversationTranscript'
  | 'deleteConversation';

/** What was said, for those who answer for the agents. */
export function conversationHandlers(deps: ConversationHandlersDeps): Handlers<Names> {
  const { store, sessions, messages, endStreams, fileUrl } = deps;

  /** Throws the same for what does not exist and for what is another tenant's. */
  async function find(principal: SettingsPrincipal, id: string): Promise<ConversationSummary> {
    const found = await store.getConversation(id);
    if (!found || !authorize(principal, found.tenantId)) throw notFound();
    return found;
  }

  return {
    async listConversations({ response, principal, query }) {
      const { status, rating, search, from, to, cursor = null, limit } = query;
      const { tenantId, agents } = await agentsInScope(store.settings, principal, query);
      const named = search === undefined || cursor !== null ? null : await store.getConversation(search);
      if (named?.tenantId === tenantId && agents.some(({ id }) => id === named.agentId))
        return void response.json({ items: [conversationView(named)], next: null });
      const wanted = {
        agentIds: agents.map(({ id }) => id),
        status,
        rating,
        from: from === undefined ? 0 : Date.parse(from),
        before: to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(to) + dayMs,
        after: cursor,
        limit,
        maxLookedAt,
      };
      if (search !== undefined && cursor === null) await messages.catchUp();
      if (search === undefined) {
        const page = await store.listConversations(wanted);
        return void response.json({ items: page.items.map(conversationView), next: page.next });
      }
      const words = wordsOfQuery(tenantId, search);
      const page = await store.findConversations({ ...wanted, tenantId, maxMessages: maxSearched, words });
      const items: ConversationView[] = [];
      for (const { message, ...summary } of page.items) {
        items.push({ ...conversationView(summary), match: matchOf(message, search) });
        // To look through a long message takes a millisecond.
        await setImmediate();
      }
      response.json({ items, next: page.next });
    },

    async readConversation({ response, principal, id }) {
      response.json(conversationView(await find(principal, id)));
    },

    async listConversationEvents({ response, principal, id, query: { cursor = '', limit } }) {
      await find(principal, id);
      const from = /^\d{1,9}$/.test(cursor) ? Number(cursor) : 0;
      const page = await store.readEvents(id, from, limit);
      const items = page.events.map((stored): LoggedEvent => {
        const event = withAddresses(redactEvent(stored, 'team'), fileUrl);
        return { index: stored.index, event };
      });
      response.json({ items, next: page.next === null ? null : String(page.next) });
    },

    async listConversationTurns({ response, principal, id, query: { cursor = null, limit } }) {
      const { tenantId } = await find(principal, id);
      const prices = storedPrices((await store.settings.tenants.get(tenantId))?.prices);
      const page = await store.listTurnsOf(id, { after: cursor, limit });
      response.json({ items: page.items.map((turn) => turnView(turn, prices)), next: page.next });
    },

    async readConversationTranscript({ request: { method }, response, principal, id, query: { format } }) {
      const { agentId } = await find(principal, id);
      const session = await store.getSession(id);
      if (!session) throw notFound();
      const agentName = (await store.settings.agents.get(agentId))?.name ?? agentId;
      await sendTranscript(deps, response, { session, agentName, format, audience: 'full', method });
    },

    async deleteConversation({ response, principal, id }) {
      const { tenantId, agentId, createdAt, turns } = await find(principal, id);
      // Written first: an entry of a deletion that has to be repeated is better than one that nobody knows of.
      const entry = changeRecord(principal, {
        tenantId,
        action: 'deleted',
        kind: 'conversation',
        // Nothing of what was said outlives it here.
        subject: { id, name: null },
        before: { agentId, createdAt: new Date(createdAt).toISOString(), turns },
        after: null,
      });
      await store.settings.audit.record(entry);
      const removed = await sessions.remove(id);
      endStreams(id);
      if (!removed) throw notFound();
      response.status(204).end();
    },
  };
}

const isoOrNull = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

function turnView(turn: TurnRecord, prices: Prices | null): TurnView {
  const { sequence, status, configuration, modelId, inputTokens, outputTokens } = turn;
  return {
    sequence,
    status,
    configuration,
    modelId,
    inputTokens,
    outputTokens,
    cost: costOf(prices, turn),
    startedAt: new Date(turn.startedAt).toISOString(),
    firstDeltaAt: isoOrNull(turn.firstDeltaAt),
    endedAt: isoOrNull(turn.endedAt),
  };
}
