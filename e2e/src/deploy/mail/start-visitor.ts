import { createSessions } from '@parley/client/session';
import { emptyTranscript, reduceTranscript } from '@parley/conversation/transcript';

const turnMs = 15_000;

export interface Visitor {
  /** Resolves with what the agent says, which is nothing while it asks. */
  say(message: string): Promise<string>;
  /** Approves what is asked, and resolves with what the agent says then. */
  approve(): Promise<string>;
}

/** Somebody on a page with this key, in a conversation that has begun with this message. */
export async function startVisitor(baseUrl: string, key: string, message: string) {
  const sessions = createSessions({ baseUrl, key });
  const session = await sessions.start(message);
  let transcript = emptyTranscript;

  async function nextTurn(): Promise<string> {
    const { nextIndex: startIndex, turns } = transcript;
    const signal = AbortSignal.timeout(turnMs);
    for await (const event of sessions.follow(session.sessionId, { startIndex, signal })) {
      transcript = reduceTranscript(transcript, event);
      if (transcript.turns.length > turns.length && transcript.status !== 'working') break;
    }
    if (signal.aborted) throw new Error(`The agent has not answered after ${turnMs / 1_000} s.`);
    const parts = transcript.turns.at(-1)?.parts ?? [];
    return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  }

  const visitor: Visitor = {
    async say(text) {
      await sessions.send(session, text);
      return nextTurn();
    },
    async approve() {
      const [request] = transcript.requests;
      if (!request) throw new Error('Nothing is asked.');
      await sessions.respond(session, {
        inputResponses: [{ requestId: request.requestId, optionId: 'approve' }],
      });
      return nextTurn();
    },
  };
  return { visitor, answer: await nextTurn() };
}
