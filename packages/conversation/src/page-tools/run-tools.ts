import { alone } from '../tabs/alone.ts';
import type { Connection } from '@parley/client/connection';
import { isPassing } from '@parley/client/error';
import { sendInput } from '@parley/client/session-client';
import type { SessionReference } from '@parley/client/session-input';
import type { ActionResult } from '@parley/protocol/client-tool';
import type { ConversationCore } from '../conversation-core.ts';
import { asParleyError } from '../reconnection.ts';
import { retryWhile } from '../replies/retry-until-online.ts';
import { readLast } from '../storage/last-conversation.ts';
import type { Transcript } from '../transcript/transcript.ts';
import type { ToolPart, Turn } from '../transcript/turn.ts';
import { keepAlive } from './keep-alive.ts';
import { findResult, forgetResult, keepResult } from './kept-results.ts';
import { isRefused, rememberRefused } from './refused-calls.ts';

/** How long a tab that has not asked leaves a tool to the one that has, in milliseconds. */
const otherTabsHeadStart = 1_000;
/** How much later than this one another tab may hear of a result. */
const longestLag = 30_000;

/**
 * Does what the agent has asked the page's tools for, also before a reload; of several tabs one runs each call. What it
 * returns looks again, for a tool that has come later.
 */
export function runTools(core: ConversationCore): () => void {
  const { state, storage, page, clock, environment, connection, identity, signal } = core;
  const running = new Set<string>();

  const look = () => {
    const { value: transcript } = state.transcript;
    const turn = waitingTurn(transcript);
    for (const { callId, toolName } of delegated(transcript)) {
      if (running.has(callId) || !(page.tools.get(toolName) || findResult(storage, callId))) continue;
      running.add(callId);
      const begin = () => void alone(environment.locks, `${callId}:tool`, () => run(callId));
      // First the tab that the visitor has asked in.
      clock.after(turn && state.ownTurns.value.has(turn.id) ? 0 : otherTabsHeadStart, begin);
    }
  };

  /** Ends when the log shows the result: whoever looks then does not run the tool again. */
  const run = async (callId: string) => {
    const waiting = (transcript: Transcript) => delegated(transcript).find((each) => each.callId === callId);
    const call = waiting(core.latest());
    const tool = call && page.tools.get(call.toolName)?.tool;
    const kept = findResult(storage, callId);
    if (!call || !(tool || kept)) return void running.delete(callId);
    const { value: asking } = state.session;
    if (!asking || isRefused(storage, callId)) return;
    const { forgotten, visitor: known } = identity;
    const { value: visitor } = known;
    const isAsking = (session: SessionReference | null) => session?.sessionId === asking.sessionId;
    /** The visitor is known to be the one that it was, whatever conversation they look at and may have erased. */
    const isSameVisitor = () =>
      visitor !== '' && known.value === visitor && storage.get('visitor') === visitor;
    const isRemembered = () => identity.forgotten === forgotten || isAsking(state.session.value);
    /**
     * Nobody has logged out, in whatever tab or widget, or they have come back to the call. One that was unmounted hears of
     * that no more: there somebody whom nobody knows has to be in the conversation, or to have the way back to it.
     */
    const isTheirs = () =>
      isSameVisitor() ||
      (signal.aborted ? isAsking(storage.read()) || isAsking(readLast(storage)) : isRemembered());
    const isHere = () => !signal.aborted && isTheirs();
    const result =
      kept ??
      (await Promise.resolve()
        .then(() => tool!.run((call.input ?? {}) as Record<string, unknown>))
        .then(
          (output: unknown) => ({ callId, output: jsonOf(output) }),
          (error: unknown) => ({ callId, error: String(error) || 'The tool failed.' }),
        )
        .catch((error: unknown) => unusable(callId, error)));
    // Nothing is stored after an erasure, which may have been of the conversation that asked.
    if (!kept && isTheirs() && isRemembered()) keepResult(storage, result);
    const own: Connection = {
      ...connection,
      async fetch(...request) {
        await identity.ready;
        // The identity may have changed while it waited: nothing is sent under the token of another visitor.
        if (!isTheirs()) throw new Error('Given up.');
        return identity.fetch(...request);
      },
    };
    const give = async (given: ActionResult, idempotencyKey: string): Promise<boolean> => {
      const attempt = () => sendInput(keepAlive(own), asking, { actionResults: [given] }, { idempotencyKey });
      if (isHere() && (await retryWhile(core, attempt, isHere))) return true;
      // A widget that was unmounted gives it all the same: the next one of the page would run the tool again.
      if (!signal.aborted || !isTheirs()) return false;
      await attempt();
      return true;
    };
    const isGiven = await give(result, `result-of-call:${callId}`)
      .catch((error: unknown) => {
        // Nothing tries again for a conversation that was disposed of: what is kept the next one sends.
        if (isPassing(asParleyError(error))) {
          if (findResult(storage, callId)) return false;
          throw error;
        }
        return give(unusable(callId, error), `refused-result:${callId}`);
      })
      // The call stays open in the log: it must not run once more after a reload, or in another tab.
      .catch(() => rememberRefused(storage, callId));
    if (isGiven || isRefused(storage, callId)) forgetResult(storage, callId);
    if (!isGiven) {
      // Who has logged out may come back to the call.
      if (!isRefused(storage, callId)) running.delete(callId);
      return;
    }
    let end = () => {};
    await new Promise<void>((shown) => {
      end = state.transcript.subscribe((transcript) => {
        if (!waiting(transcript)) shown();
      });
    });
    end();
    // Another tab may hear of it later than this one, and must not look before.
    await new Promise<void>((later) => clock.after(longestLag, later));
  };

  signal.addEventListener('abort', state.transcript.subscribe(look));
  return look;
}

/** The value as it goes over the wire. Throws for what JSON cannot hold. */
const jsonOf = (output: unknown): unknown => JSON.parse(JSON.stringify(output) ?? 'null');

/** The result of a function that ran and returned what cannot be sent, or was refused. */
function unusable(callId: string, error: unknown): ActionResult {
  console.error('[parley] The result of a tool of this page cannot be used.', error);
  return {
    callId,
    error: `The function ran, but its result cannot be used: ${String(error)}`.slice(0, 1_000),
  };
}

/**
 * The turn whose calls may wait. Turns without parts may follow it: each holds one of several results, or an approval.
 * Once the agent has gone on, or was stopped in that, nobody waits for what an earlier turn has left open.
 */
const waitingTurn = ({ status, turns }: Transcript): Turn | undefined =>
  status === 'idle'
    ? turns.findLast((turn) => turn.parts.length > 0 || (turn.user && turn.status !== 'completed'))
    : undefined;

/** The calls of the page's tools that wait for a result. */
const delegated = (transcript: Transcript): ToolPart[] =>
  (waitingTurn(transcript)?.parts ?? []).filter(
    (part): part is ToolPart => part.kind === 'tool' && part.state === 'delegated',
  );
