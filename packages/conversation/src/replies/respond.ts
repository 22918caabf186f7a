import { fold } from '../fold.ts';
import type { SessionReference } from '@parley/client/session-input';
import { sendInput } from '@parley/client/session-client';
import type { ConversationCore } from '../conversation-core.ts';
import type { Reply, ReplyState } from '../conversation-state.ts';
import { asParleyError } from '../reconnection.ts';
import { retryUntilOnline } from './retry-until-online.ts';

type Core = Pick<ConversationCore, 'state' | 'connection' | 'clock'>;

/** Answers what the agent has asked, at once or as soon as it gets through, unless the visitor answers anew meanwhile. */
export async function respond(core: Core, requestId: string, reply: Reply): Promise<void> {
  const { session, replies } = core.state;
  const { value: asked } = session;
  let mine: ReplyState | undefined;
  const set = (state: ReplyState) => {
    if (asked !== session.value) return;
    mine = state;
    replies.value = new Map(replies.value).set(requestId, state);
  };
  // The same answer twice, also from two tabs, is one.
  const options = { idempotencyKey: `answer-to-request:${requestId}:${fingerprint(JSON.stringify(reply))}` };
  const attempt = async (to: SessionReference) => {
    set({ kind: 'sending' });
    const input = { inputResponses: [{ requestId, ...reply }] };
    await sendInput(core.connection, to, input, options).catch((error: unknown) => {
      set({ kind: 'failed', error: asParleyError(error) });
      throw error;
    });
  };
  await retryUntilOnline(core, attempt, () => replies.value.get(requestId) === mine).catch(() => {
    // It is shown why.
  });
}

/** A reply that did not get through, and is being changed, is not sent by itself any more. */
export function withdrawReply({ replies }: ConversationCore['state'], requestId: string): void {
  if (replies.value.get(requestId)?.kind !== 'failed') return;
  const others = new Map(replies.value);
  others.delete(requestId);
  replies.value = others;
}

/** Forgets what became of a reply once its request is no longer open. */
export function forgetSettled({ state: { transcript, replies }, signal }: ConversationCore): void {
  const leave = transcript.subscribe(({ requests }) => {
    const settled = [...replies.value.keys()].filter((id) =>
      requests.every(({ requestId }) => requestId !== id),
    );
    if (settled.length > 0)
      replies.value = new Map([...replies.value].filter(([requestId]) => !settled.includes(requestId)));
  });
  signal.addEventListener('abort', leave);
}

const fingerprint = (text: string) =>
  fold(Array.from(text), 0, (sum, each) => (Math.imul(sum, 31) + each.codePointAt(0)!) | 0);
