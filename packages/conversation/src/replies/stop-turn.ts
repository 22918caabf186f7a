import { cancelTurn } from '@parley/client/cancel-turn';
import type { ConversationCore } from '../conversation-core.ts';
import { retryUntilOnline } from './retry-until-online.ts';

/** Stops the turn that runs now, and no other, as soon as it gets through. */
export async function stopTurn(
  core: Pick<ConversationCore, 'state' | 'connection' | 'clock'>,
): Promise<void> {
  const { transcript, stopping } = core.state;
  const turnId = transcript.value.turns.at(-1)?.id;
  if (turnId === undefined) return;
  const isRunning = () => {
    const { status, turns } = transcript.value;
    return status === 'working' && turns.at(-1)?.id === turnId;
  };
  await retryUntilOnline(
    core,
    async ({ sessionId }) => {
      stopping.value = turnId;
      await cancelTurn(core.connection, sessionId, { turnId }).catch((error: unknown) => {
        // The button is there again: the turn goes on, and so can the visitor.
        if (isRunning()) stopping.value = null;
        throw error;
      });
    },
    // It was pressed again.
    () => isRunning() && stopping.value === null,
  ).catch(() => {});
}
