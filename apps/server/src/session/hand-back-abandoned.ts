import type { Page } from '../store/page.ts';
import type { Store } from '../store/store.ts';
import type { Logger } from '../logger.ts';
import { automation } from './automation.ts';
import type { Sessions } from './sessions.ts';
import { UnreadableStateError } from './state/unreadable-state-error.ts';

const page = 100;

interface HandBackDeps {
  readonly store: Pick<Store, 'listAbandonedThreads' | 'getSession'>;
  readonly sessions: Pick<Sessions, 'act'>;
  readonly logger: Pick<Logger, 'error'>;
}

/** Lets the agent answer again wherever whoever answered is no member any more, or one who may only look. */
export async function handBackAbandoned({ store, sessions, logger }: HandBackDeps): Promise<void> {
  for (let after: string | null = null; ;) {
    const { items, next }: Page<string> = await store.listAbandonedThreads({ after, limit: page });
    for (const id of items) {
      try {
        const session = await store.getSession(id);
        // Refused where somebody else was faster.
        if (session)
          await sessions.act(session, { kind: 'hand-back', member: automation, summary: null, force: true });
      } catch (error) {
        // It keeps none of the others waiting.
        if (!(error instanceof UnreadableStateError)) throw error;
        logger.error({ err: error }, 'a conversation could not be handed back');
      }
    }
    if (next === null) return;
    after = next;
  }
}
