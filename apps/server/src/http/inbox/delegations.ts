import { isApprover } from '../../approval/approver.ts';
import { delegationProblem } from '../../approval/delegation-problem.ts';
import { standingApprovals, type Team } from '../../approval/standing-approvals.ts';
import { waitingStep } from '../../session/state/phase.ts';
import { readState } from '../../session/state/read-state.ts';
import { conflict, invalid } from '../../settings/settings-error.ts';
import type { SessionRecord } from '../../store/session-store.ts';
import type { SettingsStore } from '../../store/settings-store.ts';
import type { Handlers } from '../handlers.ts';
import { approverPage } from './approver-page.ts';
import { teamMember } from './team-member.ts';
import type { TeamRequestDeps } from './team-requests.ts';

interface DelegationDeps extends Pick<TeamRequestDeps, 'find' | 'act'> {
  /** Who may approve what is asked in a conversation. */
  readonly teamOf: (session: SessionRecord) => Promise<Team>;
  readonly members: Pick<SettingsStore['members'], 'get' | 'list'>;
}

/** How a member hands an approval to another one. */
export function delegationHandlers({
  find,
  act,
  teamOf,
  members,
}: DelegationDeps): Handlers<'delegateApproval' | 'listApprovers'> {
  return {
    async delegateApproval({ response, principal, id, body: { requestId, memberId, line } }) {
      const session = await find(principal, id);
      const member = await members.get(memberId);
      if (!isApprover(member, session.tenantId))
        throw invalid(['memberId'], 'There is no such member, or they may only look.');
      const to = { id: member.id, name: member.name };
      const state = readState(session);
      const asked =
        session.status === 'open' && state.hold === null
          ? waitingStep(state)?.requests.find(({ request }) => request.requestId === requestId)
          : undefined;
      const pending = asked && (await standingApprovals(await teamOf(session), asked));
      const problem = delegationProblem(pending, { from: teamMember(principal), to }, Date.now());
      if (problem !== null) throw conflict(problem);
      const hand = (from: ReturnType<typeof teamMember>) => ({
        kind: 'answer-approval' as const,
        member: from,
        requestId: null,
        delegates: { requestId, to, line },
      });
      response.json(await act(principal, id, hand));
    },

    async listApprovers({ response, principal, id, query }) {
      const session = await find(principal, id);
      const { approvalMail = [] } = await teamOf(session);
      const page = await approverPage(members, principal, session.tenantId, query);
      const items = page.items.map((approver) => ({
        ...approver,
        isWrittenTo: approvalMail.some(({ memberId }) => memberId === approver.id),
      }));
      response.json({ ...page, items });
    },
  };
}
