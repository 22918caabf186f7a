import type { ActionResult } from '@parley/protocol/client-tool';
import { newEvent } from '../events/new-event.ts';
import type { Call, WaitingStep } from '../session/state/phase.ts';
import type { NewEvent } from '../store/event-store.ts';
import type { ToolOutcome } from '../tool/tool.ts';
import { modelOutput, resultEvent } from './tool-calls.ts';
import { stepAt } from './context.ts';

/** What an input does to the calls that were given to the page. */
export interface ClientToolResults {
  /** The waiting step's calls with the results they have by now. */
  readonly calls: readonly Call[];
  /** Those that got theirs with this input. */
  readonly answered: readonly { readonly call: Call; readonly outcome: ToolOutcome }[];
  /** The page still owes a result. */
  readonly open: boolean;
}

export const notAnswered: ToolOutcome = {
  ok: false,
  code: 'NOT_ANSWERED',
  message: 'The page did not answer this call; the visitor wrote a message instead.',
};

/**
 * Holds results against the calls that wait for one: the first counts, others and those of other calls change
 * nothing. A message that comes instead closes what is still open.
 */
export function takeResults(
  waiting: WaitingStep | null,
  results: readonly ActionResult[],
  messageInstead: boolean,
): ClientToolResults {
  const answered: { call: Call; outcome: ToolOutcome }[] = [];
  const calls = (waiting?.calls ?? []).map((call) => {
    if (call.result !== null || !waiting?.clientCallIds.includes(call.callId)) return call;
    const result = results.find(({ callId }) => callId === call.callId);
    const outcome = result ? outcomeOf(result) : messageInstead ? notAnswered : null;
    if (!outcome) return call;
    answered.push({ call, outcome });
    return { ...call, result: modelOutput(outcome) };
  });
  const open = calls.some(({ callId, result }) => result === null && waiting?.clientCallIds.includes(callId));
  return { calls, answered, open };
}

/** The results as the log shows them, in the turn they came with. The page that gave them may read them. */
export function clientToolResultEvents(sequence: number, { answered }: ClientToolResults): NewEvent[] {
  return answered.map(({ call, outcome }) => resultEvent(stepAt(sequence, 0), call, outcome, false));
}

/** Closes in the log what the page has not answered of a step that is given up, so that no page runs it later. */
export function abandonedCalls(waiting: WaitingStep | null, message: string): NewEvent[] {
  if (!waiting) return [];
  const open = waiting.calls.filter(
    ({ callId, result }) => result === null && waiting.clientCallIds.includes(callId),
  );
  const error = { code: 'NOT_ANSWERED', message };
  return open.map(({ callId, toolName }) =>
    newEvent('action.result', {
      ...stepAt(waiting.sequence, waiting.stepIndex),
      status: 'rejected',
      result: { kind: 'tool-result', callId, toolName, output: error.message, isError: true },
      error,
    }),
  );
}

function outcomeOf(result: ActionResult): ToolOutcome {
  return 'error' in result ? { ok: false, message: result.error } : { ok: true, output: result.output };
}
