import type { ThreadView } from '@parley/protocol/settings/inbox';
import type { SettingsPrincipal } from '../../auth/principal.ts';
import type { TeamAction, TeamMember } from '../../session/queue-item.ts';
import {
  hasApproved,
  isApproval,
  isOpen,
  isTeamQuestion,
  mayAnswer,
  neededApprovals,
} from '../../session/input-requests.ts';
import { amendable } from '../../session/state/amendable.ts';
import { type PendingRequest, waitingStep } from '../../session/state/phase.ts';
import { readState } from '../../session/state/read-state.ts';
import type { SessionState } from '../../session/state/schema.ts';
import { conflict, invalid } from '../../settings/settings-error.ts';
import type { SessionRecord } from '../../store/session-store.ts';
import type { Handlers } from '../handlers.ts';
import { teamMember } from './team-member.ts';

export interface TeamRequestDeps {
  /** Throws for what is not whoever asks for it. */
  readonly find: (principal: SettingsPrincipal, id: string) => Promise<SessionRecord>;
  /** Throws where it was not done. */
  readonly act: (
    principal: SettingsPrincipal,
    id: string,
    action: (member: TeamMember) => TeamAction,
  ) => Promise<ThreadView>;
  /** What is wrong with the arguments of a call, as its tool says; null: nothing is. */
  readonly invalidArguments: (
    session: SessionRecord,
    toolName: string,
    input: Record<string, unknown>,
  ) => Promise<string | null>;
}

type Names = 'answerApproval' | 'amendApproval' | 'answerTeamQuestion';

/** How the team answers what the agent asks it. */
export function teamRequestHandlers({ find, act, invalidArguments }: TeamRequestDeps): Handlers<Names> {
  return {
    async answerApproval({ response, principal, id, body: { requestId, answer } }) {
      const session = await find(principal, id);
      const pending = waitingStep(readState(session))?.requests.find(
        ({ request }) => request.requestId === requestId,
      );
      const who = { by: 'team' as const, member: teamMember(principal) };
      if (pending?.by === 'two' && !mayAnswer(pending, who))
        throw conflict('Two different members have to approve it: an admin token is none of them.');
      if (pending && answer === 'approve' && hasApproved(pending, who))
        throw conflict(
          pending.by === 'both'
            ? 'The team has approved it. The visitor has to, too.'
            : 'You have approved it. Somebody else of the team has to, too.',
        );
      const answering = (member: TeamMember) => ({
        kind: 'answer-approval' as const,
        member,
        requestId,
        optionId: answer,
      });
      response.json(await act(principal, id, answering));
    },

    async amendApproval({ response, principal, id, body: { requestId, input } }) {
      const session = await find(principal, id);
      const found = amendable(readState(session), requestId, input, Date.now());
      if (found === null)
        throw conflict('This approval does not wait any more. Look at the conversation again.');
      const wrong =
        typeof found === 'string' ? found : await invalidArguments(session, found.call.toolName, input);
      if (wrong !== null) throw invalid(['input'], wrong);
      const amend = (member: TeamMember) => ({
        kind: 'answer-approval' as const,
        member,
        requestId: null,
        amends: { requestId, input },
      });
      response.json(await act(principal, id, amend));
    },

    async answerTeamQuestion({ response, principal, id, body: { requestId: answers, text } }) {
      response.json(await act(principal, id, (member) => ({ kind: 'team-message', member, text, answers })));
    },
  };
}

const openRequests = (state: SessionState) =>
  (waitingStep(state)?.requests ?? []).filter((pending) => isOpen(pending, Date.now()));

const expiry = (expiresAt: number | null) => (expiresAt === null ? null : new Date(expiresAt).toISOString());

/** What waits for the team, or for whoever is first. */
export const approvalsIn = (state: SessionState): readonly TeamApproval[] =>
  openRequests(state).filter(isTeamApproval);

/** An approval in which the team has a say. */
type TeamApproval = PendingRequest & { readonly by: Exclude<PendingRequest['by'], 'visitor'> };

const isTeamApproval = (pending: PendingRequest): pending is TeamApproval =>
  pending.by !== 'visitor' && isApproval(pending.request);

export function approvalView(
  state: SessionState,
  { request: { requestId, action }, expiresAt, by, approvedBy = [] }: TeamApproval,
  delegated: PendingRequest['delegated'] | null,
): ThreadView['approvals'][number] {
  const call = waitingStep(state)?.calls.find(({ callId }) => callId === action.callId);
  return {
    requestId,
    by,
    approved: approvedBy.map(({ by: side, name }) => ({ by: side, name })),
    needed: neededApprovals({ by }),
    toolName: action.toolName,
    input: action.input,
    amendedBy: call?.amended?.by ?? null,
    delegated: delegated ? { from: delegated.from, to: delegated.to, line: delegated.line } : null,
    expiresAt: expiry(expiresAt),
  };
}

/** What the agent asks the team. */
export const questionsOf = (state: SessionState): ThreadView['questions'] =>
  openRequests(state)
    .filter(isTeamQuestion)
    .map(({ request: { requestId, prompt: question }, expiresAt }) => ({
      requestId,
      question,
      expiresAt: expiry(expiresAt),
    }));
