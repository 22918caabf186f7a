import type { FeedbackView } from '@parley/protocol/settings/feedback';
import type { Resource } from '../../settings/resource.ts';
import type { AgentRecord } from '../../store/agent-record.ts';
import type { FeedbackRecord } from '../../store/feedback-store.ts';
import type { Store } from '../../store/store.ts';
import type { Handlers } from '../handlers.ts';

interface FeedbackListDeps {
  readonly agents: Pick<Resource<AgentRecord, never, never, object>, 'find'>;
  readonly store: Pick<Store, 'listFeedback'>;
}

/** What visitors thought of an agent's turns. */
export function feedbackListHandlers({ agents, store }: FeedbackListDeps): Handlers<'listFeedback'> {
  return {
    async listFeedback({ response, principal, query: { agentId, cursor = null, limit } }) {
      const agent = await agents.find(principal, agentId);
      const page = await store.listFeedback({ agentId: agent.id, after: cursor, limit });
      response.json({ items: page.items.map(view), next: page.next });
    },
  };
}

const view = ({ at, ...feedback }: FeedbackRecord): FeedbackView => ({
  ...feedback,
  at: new Date(at).toISOString(),
});
