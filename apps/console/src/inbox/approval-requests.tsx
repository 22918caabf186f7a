import type { ThreadView } from '@parley/protocol/settings/inbox';
import { useRef } from 'preact/hooks';
import { announce } from '../ui/announcement.tsx';
import { type AnswerByKey, ApprovalRequest, type ApprovalRequestProps } from './approval-request.tsx';
import { keyTarget } from './key-target.ts';
import { useKeys } from './use-keys.ts';

interface ApprovalRequestsProps extends Pick<
  ApprovalRequestProps,
  'id' | 'mayAnswer' | 'reload' | 'onFailure'
> {
  readonly approvals: ThreadView['approvals'];
}

/** What the agent wants to do. Drawn when the conversation is opened, also where it wants nothing yet. */
export function ApprovalRequests({ approvals, ...rest }: ApprovalRequestsProps) {
  const answers = useRef(new Map<string, AnswerByKey>());
  // Whoever opens a conversation looks at what it asks.
  const aimed = useRef(approvals.length === 1 ? (approvals[0]?.requestId ?? null) : null);
  const press = (chosen: 'approve' | 'deny') => {
    const shown = approvals
      .map(({ requestId }) => requestId)
      .filter((requestId) => answers.current.has(requestId));
    const { activeElement } = document;
    const focused = shown.find((each) => answers.current.get(each)?.section.contains(activeElement)) ?? null;
    const target = keyTarget({ shown, focused, aimed: aimed.current });
    const its = target && answers.current.get(target.id);
    if (!its) return;
    if (target.isAimed) return void its.answer(chosen);
    aimed.current = target.id;
    its.section.focus();
    announce('Press A to approve this, or D to decline it.');
  };
  const isAsked = approvals.length > 0;
  useKeys({
    A: isAsked ? () => press('approve') : undefined,
    D: isAsked ? () => press('deny') : undefined,
  });
  return (
    <div class="approval-requests">
      {approvals.map((approval) => (
        <ApprovalRequest key={approval.requestId} approval={approval} answers={answers.current} {...rest} />
      ))}
    </div>
  );
}
