import type { Chat } from '../chat/chat-model.ts';
import type { Answer, AnswerState } from '../chat/chat-state.ts';
import { asParleyError } from '../chat/network.ts';

/** Answers what the agent has asked: at once, or as soon as the network is back. */
export async function respond(chat: Chat, requestId: string, answer: Answer): Promise<void> {
  const { session } = chat.state;
  if (!session) return;
  const set = (state: AnswerState) =>
    chat.set({ answers: new Map(chat.state.answers).set(requestId, state) });
  set({ kind: 'sending' });
  // The same answer twice, also from two tabs, is one.
  const options = { idempotencyKey: `answer-to-request:${requestId}:${fingerprint(JSON.stringify(answer))}` };
  try {
    await chat.talk.respond(session, { inputResponses: [{ requestId, ...answer }] }, options);
  } catch (error) {
    const failed = { kind: 'failed', error: asParleyError(error) } as const;
    if (session !== chat.state.session) return;
    set(failed);
    chat.network.whenBack(failed.error, () => {
      if (chat.state.answers.get(requestId) === failed) void respond(chat, requestId, answer);
    });
  }
}

const fingerprint = (text: string) =>
  Array.from(text, (each) => each.codePointAt(0)!).reduce((sum, code) => (Math.imul(sum, 31) + code) | 0, 0);
