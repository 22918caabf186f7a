import type { AgentView } from '@parley/protocol/settings/agent';
import type { ConversationView } from '@parley/protocol/settings/conversation';
import type { UsageView } from '@parley/protocol/settings/usage';
import { useEffect, useState } from 'preact/hooks';
import { call, type Page } from '../api/call.ts';
import { averagesOf } from './budget-meaning.ts';

/** Conversations whose length is looked at. */
const latest = 50;

const nothing = { usage: { days: [], currency: null }, conversations: [] };

/** What a conversation with the agent takes; what agents usually take until, and unless, that is known. */
export function useAverages({ id, tenantId }: AgentView, instructions: string) {
  const [known, setKnown] = useState<{
    readonly usage: Pick<UsageView, 'days' | 'currency'>;
    readonly conversations: readonly Pick<ConversationView, 'turns'>[];
  }>(nothing);
  useEffect(() => {
    const of = `tenantId=${tenantId}&agentId=${id}`;
    Promise.all([
      call<UsageView>('GET', `/usage?${of}`),
      call<Page<ConversationView>>('GET', `/conversations?${of}&limit=${latest}`),
    ]).then(
      ([usage, { items }]) => setKnown({ usage, conversations: items }),
      // The form is of use without them.
      () => setKnown(nothing),
    );
  }, [id, tenantId]);
  return averagesOf(known.usage, known.conversations, instructions);
}
