import type { InputRequest, InputResponse } from '@parley/protocol/ask';
import { isSomebody, type TeamMember } from './queue-item.ts';
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
  /** Those that somebody approved whom more have to follow. */
  readonly counted: readonly PendingRequest[];
  /** The text was taken as an answer. */
  readonly textUsed: boolean;
  /**
   * `open`: an approval or the team’s answer is still waited for, nothing runs. `settled`: each of those is there, and
   * the visitor’s questions without one count as ignored.
   */
  readonly status: 'open' | 'settled';
}

/**
 * Whether what came in was accepted after the log showed what is asked. Of what an earlier version accepted that is
 * not known: a response that names its request can only have come after it, a text need not have.
 */
export type AnswerTiming = 'after' | 'before' | 'unknown';

/** Who answers, and which member where it is one of the team. */
export interface Answerer {
  readonly by: 'visitor' | 'team';
  readonly member?: TeamMember;
}

/** An input as a possible answer. */
export interface AnswerInput extends Answerer {
  readonly responses: readonly InputResponse[];
  readonly text: string | null;
  /** Unix milliseconds. */
  readonly at: number;
  readonly timing: AnswerTiming;
}

/** Holds what came in against what is asked. Approvals must be answered, and so must the team; a visitor may ignore a question. */
export function resolveInput(requests: readonly PendingRequest[], input: AnswerInput): Resolution {
  const { responses, text, at: now, timing } = input;
  const expired = requests.filter((pending) => isWaiting(pending) && !isOpen(pending, now));
  const byId = new Map(requests.map((pending) => [pending.request.requestId, pending]));
  const stale: InputResponse[] = [];
  const fresh = new Map<string, InputResponse>();
  for (const response of responses) {
    const target = byId.get(response.requestId);
    // It waits for somebody else still: this answer is none, and nothing that was said either.
    if (target && isOpen(target, now) && !countsFor(target, response.optionId, input)) continue;
    if (timing !== 'before' && target && isOpen(target, now) && !fresh.has(response.requestId))
      fresh.set(response.requestId, response);
    else stale.push(response);
  }

  let textUsed = false;
  if (text !== null && fresh.size === 0 && timing === 'after') {
    const answer = textAnswer(
      requests
        .filter((pending) => isOpen(pending, now) && countsFor(pending, 'approve', input))
        .map(({ request }) => request),
      text,
    );
    if (answer) {
      fresh.set(answer.requestId, answer);
      textUsed = true;
    }
  }

  const merged = requests.map((pending): PendingRequest => {
    const response = fresh.get(pending.request.requestId);
    if (response) return answered(pending, response, input);
    return expired.includes(pending) ? { ...pending, expired: true } : pending;
  });
  const mustWait = merged.some((pending) => mustBeAnswered(pending) && isWaiting(pending));
  const questionsOnly = !requests.some(mustBeAnswered);
  const spoken = text !== null || stale.length > 0;
  const settled = !mustWait && (fresh.size > 0 || expired.length > 0 || (questionsOnly && spoken));
  return {
    requests: merged,
    answered: merged.flatMap(({ response }) => (response && fresh.has(response.requestId) ? [response] : [])),
    counted: merged.filter(({ request, response }) => response === null && fresh.has(request.requestId)),
    stale,
    expired: expired.map(({ request }) => request),
    textUsed,
    status: settled ? 'settled' : 'open',
  };
}

/** How many have to approve it. */
export const neededApprovals = ({ by }: Pick<PendingRequest, 'by'>): number =>
  by === 'both' || by === 'two' ? 2 : 1;

type Asked = Pick<PendingRequest, 'by' | 'approvedBy'>;

/** Whether they are asked at all. Where two members have to, those who are nobody in particular are not. */
export function mayAnswer({ by: asked }: Asked, { by, member }: Answerer): boolean {
  if (asked === 'two') return by === 'team' && member !== undefined && isSomebody(member);
  return asked === 'either' || asked === 'both' || asked === by;
}

/** Whether they have said yes already. Of the visitor and one of the team, the team has with any of it. */
export const hasApproved = ({ by: asked, approvedBy = [] }: Asked, { by, member }: Answerer): boolean =>
  approvedBy.some((each) => each.by === by && (asked !== 'two' || each.id === member?.id));

/** Whether the team is still waited for. */
export const asksTeam = (pending: PendingRequest): boolean =>
  isWaiting(pending) &&
  pending.by !== 'visitor' &&
  !(pending.by === 'both' && hasApproved(pending, { by: 'team' }));

/** Whether the visitor is still waited for. */
export const asksVisitor = (pending: PendingRequest): boolean =>
  isWaiting(pending) && mayAnswer(pending, { by: 'visitor' }) && !hasApproved(pending, { by: 'visitor' });

const countsFor = (pending: Asked, optionId: string | undefined, who: Answerer): boolean =>
  mayAnswer(pending, who) && !(optionId === 'approve' && hasApproved(pending, who));

function answered(
  pending: PendingRequest,
  response: InputResponse,
  { by, member }: Answerer,
): PendingRequest {
  const { approvedBy = [], request } = pending;
  const more = neededApprovals(pending) - approvedBy.length - 1;
  if (!isApproval(request) || response.optionId !== 'approve' || more <= 0) return { ...pending, response };
  const yes = { by, id: member?.id ?? null, name: member?.name ?? null };
  return { ...pending, approvedBy: [...approvedBy, yes] };
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

/** Asked of the team, which answers in the inbox: no visitor is shown it or passes it over. */
export const isTeamQuestion = ({ request, by }: Pick<PendingRequest, 'request' | 'by'>): boolean =>
  by === 'team' && request.kind === 'question';

const mustBeAnswered = (pending: PendingRequest): boolean =>
  isApproval(pending.request) || isTeamQuestion(pending);

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
