import type { InputRequest } from '@parley/protocol/ask';
import { askTeamName } from '@parley/protocol/team-tool';
import { isApproval, isTeamQuestion } from '../session/input-requests.ts';
import type { PendingRequest } from '../session/state/phase.ts';
import { isDraftId } from '../settings/draft-id.ts';
import type { ServerTool } from '../tool/tool.ts';
import type { TurnContext } from './context.ts';
import { serverTool } from './offered-tools.ts';

const minuteMs = 60_000;
/** For an agent that may ask the team no more by the time its question is put. */
const defaultMinutes = 30;

/** A request as it waits: for whom, and until when. */
export function pendingRequest(context: TurnContext, request: InputRequest, askedAt: number): PendingRequest {
  const by = isApproval(request) ? approvalsBy(context) : questionsBy(context, request);
  const lasts = isApproval(request)
    ? serverTool(context, request.action.toolName)?.approvalExpiresAfterMs
    : isTeamQuestion({ request, by })
      ? (context.agent.settings.teamQuestionMinutes ?? defaultMinutes) * minuteMs
      : null;
  const expiresAt = typeof lasts === 'number' ? askedAt + lasts : null;
  return { request, response: null, expiresAt, expired: false, by };
}

/** Chat has no team that could answer, and whoever tries out a draft is of the team. */
export const approvalsBy = ({ agent, session }: TurnContext): PendingRequest['by'] =>
  session.interface === 'chat' || isDraftId(session.agentId) ? 'visitor' : agent.settings.approvalsBy;

const questionsBy = ({ session }: TurnContext, { action }: InputRequest): PendingRequest['by'] =>
  action.toolName === askTeamName && !isDraftId(session.agentId) ? 'team' : 'visitor';

export function needsApproval({ state }: TurnContext, tool: ServerTool): boolean {
  if (tool.approval === 'never') return false;
  return tool.approval === 'always' || !state.approvedTools.includes(tool.fingerprint);
}
