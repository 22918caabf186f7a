import { ParleyError } from '@parley/client/error';
import { effect } from '@preact/signals-core';
import type { ConversationCore } from '../conversation-core.ts';

/** A session that ends discards the messages that wait for their turn: nobody has heard them, and they are their visitor's again. */
export function failAtEnd({ state, outbox, clock, signal }: ConversationCore): void {
  const end = effect(() => {
    const { value: messages } = state.outbox;
    const { value: failure } = state.failure;
    const error =
      state.transcript.value.status === 'ended'
        ? new ParleyError('SESSION_NOT_RESUMABLE', 'The conversation has ended.')
        : failure?.status === 404
          ? failure
          : null;
    if (!error || messages.every((each) => each.state.kind !== 'accepted')) return;
    const failed = { kind: 'failed', error, at: clock.now() } as const;
    outbox.set(messages.map((each) => (each.state.kind === 'accepted' ? { ...each, state: failed } : each)));
  });
  signal.addEventListener('abort', end);
}
