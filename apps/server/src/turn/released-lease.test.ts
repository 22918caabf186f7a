import { expect, test } from 'vitest';
import type { QueueItemBody } from '../session/queue-item.ts';
import { emptyInput } from '../session/message-input.ts';
import { enqueueRequest, logOf } from '../store/contract/samples.ts';
import { StoreUnavailableError } from '../store/store-error.ts';
import { failingService } from '../testing/failing-service.ts';

const message = { text: 'next', parts: [{ type: 'text' as const, text: 'next' }], fileIds: [] };
const body: QueueItemBody = { ...emptyInput, kind: 'delivery', message };

test('a loop that let go of the lease with a turn that was cut off does nothing more for the session', async () => {
  let refused = false;
  let taken: unknown = null;
  const { store, visitor, modelCalls } = await failingService(
    [{ steps: [{ wait: 300 }, { say: 'Heard.' }] }],
    (sqlite) => ({
      async commit(held, change) {
        if (taken || !change.endTurns?.length) return sqlite.commit(held, change);
        if (!refused) {
          refused = true;
          throw new StoreUnavailableError('No room');
        }
        const written = await sqlite.commit(held, change);
        // Accepted, and begun, by another process.
        const lease = { owner: 'another', leaseMs: 60_000 };
        const { open: _, ...followUp } = enqueueRequest({ sessionId: held.sessionId, lease });
        const accepted = await sqlite.enqueue({ ...followUp, item: { id: 'item_next', body } });
        taken = accepted.outcome === 'accepted' && accepted.leased;
        return written;
      },
    }),
  );
  const { id } = await visitor.start('hello');
  await expect.poll(() => taken).toMatchObject({ lease: { sessionId: id } });
  await (await visitor.start('somebody else')).log(1);
  expect(modelCalls()).toBe(2);
  const types = (await logOf(store, id)).map(({ event }) => event.type);
  expect(types.slice(-2)).toEqual(['turn.failed', 'session.waiting']);
});
