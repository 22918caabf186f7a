import type { InputRequest, InputResponse } from '@parley/protocol/ask';
import type { PendingRequest } from './state/phase.ts';

export interface Resolution {
  /** Every request with the answers it has by now. */
  readonly requests: readonly PendingRequest[];
  /** Those answered by this input, in the order of the requests. */
  readonly answered: readonly InputResponse[];
  /** Responses to requests that are not open (any more). */
  readonly stale: readonly InputResponse[];
  /** Those that nobody had answered in time, found out now. */
  readonly expired: readonly InputRequest[];
  /** The text was taken as an answer. */
  readonly textUsed: boolean;
  /**
   * `open`: an approval still waits, nothing runs. `settled`: every approval has its answer, and questions
   * without one count as ignored.
   */
  readonly status: 'open' | 'settled';
}

/**
 * Whether what came in was accepted after the log showed what is asked. Of what an earlier version accepted that is
 * not known: a response that names its request can only have come after it, a text need not have.
 */
export type AnswerTiming = 'after' | 'before' | 'unknown';

/** An input as a possible answer. */
export interface AnswerInput {
  readonly responses: readonly InputResponse[];
  readonly text: string | null;
  /** Unix milliseconds. */
  readonly at: number;
  readonly timing: AnswerTiming;
}

/** Holds what came in against what is asked. Approvals must be answered; questions may be ignored. */
export function resolveInput(requests: readonly PendingRequest[], input: AnswerInput): Resolution {
  const { responses, text, at: now, timing } = input;
  const expired = requests.filter((pending) => isWaiting(pending) && !isOpen(pending, now));
  const byId = new Map(requests.map((pending) => [pending.request.requestId, pending]));
  const stale: InputResponse[] = [];
  const fresh = new Map<string, InputResponse>();
  for (const response of responses) {
    const target = byId.get(response.requestId);
    if (timing !== 'before' && target && isOpen(target, now) && !fresh.has(response.requestId))
      fresh.set(response.requestId, response);
    else stale.push(response);
  }

  let textUsed = false;
  if (text !== null && fresh.size === 0 && timing === 'after') {
    const answer = textAnswer(
      requests.filter((pending) => isOpen(pending, now)).map(({ request }) => request),
      text,
    );
    if (answer) {
      fresh.set(answer.requestId, answer);
      textUsed = true;
    }
  }

  const merged = requests.map((pending): PendingRequest => {
    const response = fresh.get(pending.request.requestId);
    if (response) return { ...pending, response };
    return expired.includes(pending) ? { ...pending, expired: true } : pending;
  });
  const approvalOpen = merged.some((pending) => isApproval(pending.request) && isWaiting(pending));
  const questionsOnly = !requests.some(({ request }) => isApproval(request));
  const spoken = text !== null || stale.length > 0;
  const settled = !approvalOpen && (fresh.size > 0 || expired.length > 0 || (questionsOnly && spoken));
  return {
    requests: merged,
    answered: merged.flatMap(({ response }) => (response && fresh.has(response.requestId) ? [response] : [])),
    stale,
    expired: expired.map(({ request }) => request),
    textUsed,
    status: settled ? 'settled' : 'open',
  };
}

/** Whether an answer given at this time counts. */
export function isOpen(pending: PendingRequest, now: number): boolean {
  return isWaiting(pending) && (pending.expiresAt ?? Infinity) > now;
}

/** Neither answered nor known to be too late. */
export function isWaiting({ response, expired }: PendingRequest): boolean {
  return response === null && !expired;
}

/** When the first of these can be answered no longer, or null. */
export function nextExpiry(requests: readonly PendingRequest[]): number | null {
  const times = requests.flatMap((pending) => (isWaiting(pending) ? (pending.expiresAt ?? []) : []));
  return times.length === 0 ? null : Math.min(...times);
}

export function isApproval(request: InputRequest): boolean {
  return request.kind === 'tool-approval';
}

/**
 * A text answers the one open approval when it names an option of it, and otherwise the first open question that
 * accepts it. With two approvals open a "yes" would be a guess, so it answers neither.
 */
function textAnswer(open: readonly InputRequest[], text: string): InputResponse | null {
  const approvals = open.filter(isApproval);
  const [approval] = approvals;
  if (approval && approvals.length === 1) {
    const optionId = matchOption(approval, text);
    if (optionId !== null) return { requestId: approval.requestId, optionId };
  }
  for (const question of open.filter((request) => request.kind === 'question')) {
    const optionId = matchOption(question, text);
    if (optionId !== null) return { requestId: question.requestId, optionId };
    if (question.allowFreeform === true || question.display === 'text' || !question.options?.length)
      return { requestId: question.requestId, text };
  }
  return null;
}

function matchOption(request: InputRequest, text: string): string | null {
  const said = text.trim().toLowerCase();
  const options = request.options ?? [];
  const named = options.find(({ id, label }) => id.toLowerCase() === said || label.toLowerCase() === said);
  const numbered = /^\d+$/.test(said) ? options[Number(said) - 1] : undefined;
  return (named ?? numbered)?.id ?? null;
}
