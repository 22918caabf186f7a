import type { ChatAnswer, ChatRequest } from '@parley/protocol/chat';
import type { InputRequest, InputResponse } from '@parley/protocol/ask';
import { maxContextLength, maxInputResponses } from '@parley/protocol/bounds';
import { negotiate } from '@parley/protocol/negotiate';
import { codePoints } from '@parley/protocol/text';
import type { Response } from 'express';
import type { Logger } from '../../logger.ts';
import { subscribeToTurn } from '../../events/subscribe-to-turn.ts';
import type { EventBus } from '../../events/event-bus.ts';
import { isApproval, isWaiting } from '../../session/input-requests.ts';
import type { ResolvedPart } from '../../session/message-files.ts';
import { type QueueItemBody, type EditTarget, continuedMessage } from '../../session/queue-item.ts';
import type { AcceptedMessage, SendResult } from '../../session/enqueue-message.ts';
import { type MessageInput, emptyInput } from '../../session/message-input.ts';
import type { Sessions } from '../../session/sessions.ts';
import { answerShape } from '../../session/structured-answer.ts';
import { type Turn, openTurn, waitingStep } from '../../session/state/phase.ts';
import { readState } from '../../session/state/read-state.ts';
import { turnOf } from '../../events/turn-of.ts';
import type { Secrets } from '../../crypto/secrets.ts';
import type { SessionRecord } from '../../store/session-store.ts';
import type { Store } from '../../store/store.ts';
import { unauthorized } from '../../auth/bearer.ts';
import { rejectLongAccept } from './reject-long-accept.ts';
import { chatAllowance } from '../../limit/allowance.ts';
import { visitorExpired } from '../../auth/authenticate-key.ts';
import type { KeyPrincipal } from '../../auth/principal.ts';
import { type ReplyTurn, chatReader } from './chat-reply.ts';
import type { ChatTurns } from './chat-turns.ts';
import type { OpenReplies } from './open-replies.ts';
import { conversationScope } from './conversation-scope.ts';
import { releaseFiles } from '../body/file-budget.ts';
import { fileContext } from '../files/file-context.ts';
import { enforceFilePolicy } from '../files/file-policy.ts';
import type { Heartbeat } from '../connection/heartbeat.ts';
import type { Handler, Handlers } from '../handlers.ts';
import { type RequestContent, repeatable } from '../repeatable.ts';
import type { OpenReaders, ReadingEnd } from '../connection/open-readers.ts';
import type { OpenStreams } from '../connection/open-streams.ts';
import { ProblemError } from '../problem.ts';
import { requestOrigin } from '../request-caller.ts';
import { resolveFiles } from '../files/resolve-files.ts';
import { rejectionProblem } from '../rejection-problem.ts';
import { turnsPerMinute } from '../../limit/turns-per-minute.ts';
import { callerId } from '../../auth/caller-id.ts';

export interface ChatHandlersDeps {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly sessions: Sessions;
  readonly live: EventBus;
  readonly turns: ChatTurns;
  readonly openStreams: OpenStreams;
  readonly replies: OpenReplies;
  readonly heartbeat: Heartbeat;
  readonly readers: OpenReaders;
  readonly logger: Logger;
  /** How long a turn may take. */
  readonly turnMs: number;
}

/** The Chat interface: `spec` 4.1, `chat-protocol`. */
export function chatHandlers(deps: ChatHandlersDeps): Handlers<'chat' | 'resumeChat'> {
  const { store, sessions, turns, turnMs, openStreams } = deps;

  const startTurn: Handler<'chat'> = async ({ request, response, principal, body: chat }) => {
    const { key, agent, owner, visitor } = principal;
    rejectLongAccept(request);
    const parts = chat.kind === 'answers' ? [] : await resolveFiles(store, principal, chat.parts);
    enforceFilePolicy(parts, agent.settings.files);
    const mode = negotiate(request.headers.accept, chat.body);
    if (mode === null) {
      throw new ProblemError('NOT_ACCEPTABLE', 'Accept application/json, text/event-stream or text/plain.');
    }
    const scope = conversationScope(principal);
    const conversation = await store.findConversation(agent.id, scope, chat.id);
    const caller = callerId(deps.secrets, request, principal);
    const repeat = await repeatable(request, caller, `chat ${chat.id}`, requestContent(chat));
    const responses =
      chat.kind === 'answers' ? boundedResponses(chatResponses(chat.answers, conversation)) : [];
    const idle = chat.kind === 'answers' && responses.length === 0;
    if (idle && !repeat) throw nothingWaits();
    const rate = { scope: `chat:${key.id}`, limit: turnsPerMinute(key), windowMs: 60_000 };

    const files = fileContext(principal);
    const input = {
      ...emptyInput,
      timeLimitMs: turnMs,
      ...spoken(chat, parts),
      responses,
      visitor,
      origin: requestOrigin(response),
    };
    const converse = (again: boolean): Promise<SendResult> =>
      sessions.converse(
        owner,
        { scope, id: chat.id },
        {
          input,
          // Answers to nothing may be the repeat of answers that were taken; they are not accepted as anything else.
          rateLimits: idle ? [{ ...rate, limit: 0 }] : [rate],
          ...chatAllowance(principal, { conversation, input }),
          files: { ...files, again },
          repeatable: repeat,
        },
        conversation,
      );
    openStreams.admit(response, principal, conversation?.id ?? null);
    let sent = await converse(false);
    // What is repeated may have been accepted, and its conversation opened, since that was looked for.
    const known =
      sent.outcome === 'repeated' && conversation === null
        ? await store.findConversation(agent.id, scope, chat.id)
        : conversation;
    if (sent.outcome === 'repeated' && (await hasFailed(known, sent.accepted))) {
      await sessions.forget(sent.scope, sent.accepted);
      sent = await converse(true);
    }
    releaseFiles(request);
    if (sent.outcome !== 'accepted' && sent.outcome !== 'repeated')
      throw idle && sent.outcome !== 'conflict' ? nothingWaits() : rejectionProblem(sent, key);
    if (sent.outcome === 'accepted') {
      const running = known ? openTurn(readState(known)) : null;
      turns.supersede(sent.sessionId, running?.itemId ?? null);
    }
    const turn =
      sent.outcome === 'accepted'
        ? { sessionId: sent.sessionId, itemId: sent.itemId, from: sent.nextIndex }
        : {
            sessionId: known?.id ?? sent.accepted.sessionId,
            itemId: sent.accepted.itemId,
            from: earliestIndex(known, sent.accepted),
          };
    const continued = chat.kind === 'answers' ? chat.messageId : null;
    reply(response, principal, {
      ...turn,
      mode,
      conversationId: chat.id,
      messageId: continued ?? `msg_${turn.itemId}`,
      asked: continued === null ? askedCalls(known) : null,
      full: key.kind === 'secret',
    });
  };

  const resumeChat: Handler<'resumeChat'> = async ({ request, response, principal, id: conversationId }) => {
    const { key, agent } = principal;
    const conversation = await store.findConversation(agent.id, conversationScope(principal), conversationId);
    const turn = conversation && (await currentTurn(conversation));
    if (!conversation || !turn) return void response.status(204).end();
    if (request.method === 'HEAD') return void response.status(200).end();
    openStreams.admit(response, principal, conversation.id);
    const { itemId, fromIndex: from, continues } = turn;
    reply(response, principal, {
      sessionId: conversation.id,
      itemId,
      from,
      mode: 'event-stream',
      conversationId,
      messageId: continues ?? `msg_${itemId}`,
      asked: continues === null ? askedCalls(conversation) : null,
      full: key.kind === 'secret',
    });
  };

  return { chat: startTurn, resumeChat };

  function reply(
    response: Response,
    { key, visitor, visitorUntil: until }: KeyPrincipal,
    turn: ReplyTurn & { readonly from: number },
  ): void {
    const reader = chatReader(deps, response, turn);
    const following = subscribeToTurn(deps, turn, reader, (error) => {
      deps.logger.error({ err: error }, 'a Chat turn could not be read from the log');
      following.stop();
      reader.end(null);
    });
    reader.attach(following);
    const right = { key, sessionId: null, visitor, until };
    const { leave } = deps.readers.add(right, (why) =>
      // A key that was revoked does not come back; whoever comes back otherwise goes on reading the same turn.
      reader.cut(endedProblem(why), why === 'token-expired' || why === 'unverifiable'),
    );
    const open = deps.replies.add(reader);
    const over = () => {
      leave();
      open.leave();
    };
    if (response.closed) over();
    else response.once('close', over);
  }

  /** The turn that runs, or the accepted one that is about to. */
  async function currentTurn(conversation: SessionRecord): Promise<CurrentTurn | null> {
    const turn = openTurn(readState(conversation));
    if (turn) return turn;
    const [item] = await store.listQueue(conversation.id);
    const body = item?.body as QueueItemBody | undefined;
    if (!item || body?.kind !== 'delivery') return null;
    return { itemId: item.id, fromIndex: conversation.nextIndex, continues: continuedMessage(body) };
  }

  async function hasFailed(conversation: SessionRecord | null, accepted: AcceptedMessage): Promise<boolean> {
    const { sessionId, itemId } = accepted;
    await turns.cancelled(itemId);
    const from = earliestIndex(conversation, accepted);
    const outcome = await turnOf(store, conversation?.id ?? sessionId, itemId, from);
    return outcome === 'turn.failed' || outcome === 'turn.cancelled';
  }
}

type CurrentTurn = Pick<Turn, 'itemId' | 'fromIndex' | 'continues'>;

/**
 * Where in the log the turn of an accepted message may begin: a repeat counts against no limit, so it must not cost the
 * whole conversation. One that began anew between being found and being spoken to is not the one that the index is of.
 */
function earliestIndex(
  conversation: SessionRecord | null,
  { sessionId, nextIndex = 0 }: AcceptedMessage,
): number {
  return conversation?.id === sessionId ? nextIndex : 0;
}

/** The other messages of a list are left out: a client may repeat a request without them. */
function requestContent(chat: ChatRequest): RequestContent {
  if (chat.kind === 'answers') return { json: chat, parts: [] };
  const { parts, ...json } = chat;
  return { json, parts };
}

function spoken(
  chat: ChatRequest,
  parts: readonly ResolvedPart[],
): Pick<MessageInput, 'message' | 'messageId' | 'replaces'> {
  const { messageId } = chat;
  if (chat.kind === 'answers') return { message: null, messageId, replaces: null };
  return { message: { parts, text: chat.text }, messageId, replaces: replaced(chat) };
}

function replaced(chat: Exclude<ChatRequest, { kind: 'answers' }>): EditTarget | null {
  if (chat.kind === 'text') return chat.edits === null ? null : { messageId: chat.edits };
  const { messageId, text: lastText } = chat;
  return messageId === null ? { lastText } : { messageId, lastText };
}

/** The inputs of the calls that wait for approval, or whose approval this turn acts on, by call id. */
function askedCalls(conversation: SessionRecord | null): ReadonlyMap<string, unknown> {
  if (!conversation) return new Map();
  const state = readState(conversation);
  const requested = waitingStep(state)?.requests.map(({ request }) => request.action) ?? [];
  const approved = state.phase.type === 'tools' && state.phase.step.resumed ? state.phase.step.calls : [];
  return new Map([...requested, ...approved].map(({ callId, input }) => [callId, input]));
}

/** The answers that something in our own transcript waits for; text and inputs of a client are never taken from here. */
function chatResponses(answers: readonly ChatAnswer[], conversation: SessionRecord | null): InputResponse[] {
  const requests = (conversation && waitingStep(readState(conversation))?.requests) ?? [];
  return answers.flatMap((answer): InputResponse[] => {
    const pending = requests.find(({ request }) =>
      answer.kind === 'approval'
        ? isApproval(request) && request.requestId === answer.approvalId
        : !isApproval(request) && request.action.callId === answer.toolCallId,
    );
    // One whose time is over, which nothing has noticed yet, is denied by whoever answers it.
    if (!pending || !isWaiting(pending)) return [];
    const { requestId } = pending.request;
    if (answer.kind === 'approval') return [{ requestId, optionId: answer.approved ? 'approve' : 'deny' }];
    if (answer.kind === 'output-error') return [{ requestId, text: answer.errorText }];
    return [{ requestId, ...questionAnswer(pending.request, answer.output) }];
  });
}

function nothingWaits(): ProblemError {
  const message = 'Nothing in this conversation waits for this answer.';
  return new ProblemError('BAD_REQUEST', message, { issues: [{ path: ['message', 'parts'], message }] });
}

function boundedResponses(responses: InputResponse[]): InputResponse[] {
  const length = responses.reduce((sum, { text, optionId }) => sum + codePoints(text ?? optionId ?? ''), 0);
  const isFew = responses.length <= maxInputResponses;
  if (isFew && length <= maxContextLength) return responses;
  const message = isFew
    ? `Expected answers of at most ${maxContextLength} characters together.`
    : `Expected at most ${maxInputResponses} answers.`;
  throw new ProblemError('BAD_REQUEST', message, { issues: [{ path: ['message', 'parts'], message }] });
}

function questionAnswer(request: InputRequest, output: unknown): Pick<InputResponse, 'optionId' | 'text'> {
  if (typeof output === 'string') return { text: output };
  if (typeof output !== 'object' || output === null || answerShape(request) === 'form')
    return { text: JSON.stringify(output) };
  const { optionId, text } = output as Record<string, unknown>;
  if (typeof optionId === 'string') return { optionId };
  return { text: typeof text === 'string' ? text : JSON.stringify(output) };
}

function endedProblem(why: ReadingEnd): ProblemError {
  if (why === 'token-expired') return visitorExpired();
  if (why === 'unverifiable')
    return new ProblemError('UNAVAILABLE', 'The key cannot be looked up at the moment.', { retryAfter: 1 });
  return unauthorized();
}
