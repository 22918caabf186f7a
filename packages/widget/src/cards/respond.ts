import type { SessionReference } from '@parley/client/session';
import type { Chat } from '../chat/chat-model.ts';
import type { Answer, AnswerState } from '../chat/chat-state.ts';
import { asParleyError } from '../chat/network.ts';
import { insist } from './insist.ts';

/** Answers what the agent has asked, at once or as soon as it gets through, unless the visitor answers anew meanwhile. */
export async function respond(
  chat: Pick<Chat, 'state' | 'set' | 'talk' | 'network'>,
  requestId: string,
  answer: Answer,
): Promise<void> {
  const { session } = chat.state;
  let mine: AnswerState | undefined;
  const set = (state: AnswerState) => {
    if (session !== chat.state.session) return;
    mine = state;
    chat.set({ answers: new Map(chat.state.answers).set(requestId, state) });
  };
  // The same answer twice, also from two tabs, is one.
  const options = { idempotencyKey: `answer-to-request:${requestId}:${fingerprint(JSON.stringify(answer))}` };
  const attempt = async (to: SessionReference) => {
    set({ kind: 'sending' });
    await chat.talk.respond(to, { inputResponses: [{ requestId, ...answer }] }, options).catch((error) => {
      set({ kind: 'failed', error: asParleyError(error) });
      throw error;
    });
  };
  await insist(chat, attempt, () => chat.state.answers.get(requestId) === mine).catch(() => {
    // It is shown why.
  });
}

const fingerprint = (text: string) =>
  Array.from(text, (each) => each.codePointAt(0)!).reduce((sum, code) => (Math.imul(sum, 31) + code) | 0, 0);
