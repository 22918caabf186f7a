import { visibleJson } from '@parley/protocol/escape-invisible';
import type { ThreadView } from '@parley/protocol/settings/inbox';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { announce } from '../ui/announcement.tsx';
import { AmendForm } from '../approvals/amend-form.tsx';
import { AskedOf } from '../approvals/asked-of.tsx';
import { DelegateDialog } from '../approvals/delegate-dialog.tsx';
import { Time } from '../ui/time.tsx';

/** What a key does to an approval, and where that is shown. */
export interface AnswerByKey {
  readonly section: HTMLElement;
  readonly answer: (chosen: 'approve' | 'deny') => Promise<void>;
}

export interface ApprovalRequestProps {
  readonly id: string;
  readonly approval: ThreadView['approvals'][number];
  readonly mayAnswer: boolean;
  /** What keys can answer, by the id of its request. */
  readonly answers: Map<string, AnswerByKey>;
  readonly reload: () => Promise<void>;
  readonly onFailure: (sentence: string | null) => void;
}

const whoElse: Record<ThreadView['approvals'][number]['by'], string> = {
  team: 'The visitor reads that the team is checking.',
  either: 'The visitor is asked, too. The first answer counts.',
  both: 'The visitor has to approve it, too.',
  two: 'Two different members have to approve it.',
};

/** What the agent wants to do, with every argument, and two equal ways to answer. */
export function ApprovalRequest({
  id,
  approval,
  mayAnswer,
  answers,
  reload,
  onFailure,
}: ApprovalRequestProps) {
  const { requestId, by, approved, needed, toolName, input, amendedBy, delegated, expiresAt } = approval;
  const [isBusy, setBusy] = useState(false);
  const [isChanging, setChanging] = useState(false);
  const [isHanding, setHanding] = useState(false);
  const isTeamDone = by === 'both' && approved.some((each) => each.by === 'team');
  const answer = async (chosen: 'approve' | 'deny') => {
    setBusy(true);
    try {
      await call('POST', `/conversations/${id}/approvals`, { requestId, answer: chosen });
      onFailure(null);
      const isLast = approved.length + 1 >= needed;
      if (chosen === 'deny') announce('Declined. The agent is told.');
      else announce(isLast ? 'Approved. The agent goes on.' : 'Approved. One more has to approve it.');
    } catch (error) {
      onFailure(sentenceOf(error));
    }
    await reload();
    setBusy(false);
  };
  const section = useRef<HTMLElement>(null);
  const isByKey = mayAnswer && !isChanging && !isBusy;
  useLayoutEffect(() => {
    if (isByKey && section.current) answers.set(requestId, { section: section.current, answer });
    return () => void answers.delete(requestId);
  });
  return (
    <section ref={section} class="approval-request" tabIndex={-1} aria-label={`Approval of ${toolName}`}>
      <div class="approval-head">
        <p>
          <strong>The agent wants to use {toolName}</strong>{' '}
          <span class="meta">
            {whoElse[by]}
            {expiresAt !== null && (
              <>
                {' '}
                Until <Time at={expiresAt} />.
              </>
            )}
          </span>
        </p>
        {mayAnswer && !isTeamDone && (
          <button type="button" class="button" disabled={isBusy} onClick={() => setHanding(true)}>
            Hand to…
          </button>
        )}
      </div>
      {needed > 1 && (
        <p>
          <strong>
            {approved.length} of {needed} approved
          </strong>
          {approved.length > 0 && `: ${approved.map(({ name }) => name ?? 'the visitor').join(', ')}`}
        </p>
      )}
      {amendedBy !== null && <p class="meta">{amendedBy} changed what the agent wanted to do.</p>}
      {delegated !== null && <AskedOf {...delegated} />}
      {isChanging ? (
        <AmendForm id={id} approval={approval} onDone={reload} onCancel={() => setChanging(false)} />
      ) : (
        <pre class="json" tabIndex={0} aria-label="Arguments">
          {visibleJson(input)}
        </pre>
      )}
      {isHanding && (
        <DelegateDialog id={id} approval={approval} onDone={reload} onClose={() => setHanding(false)} />
      )}
      {mayAnswer && !isChanging && (
        <div class="actions">
          {Object.keys(input).length > 0 && (
            <button type="button" class="button" disabled={isBusy} onClick={() => setChanging(true)}>
              Change it first
            </button>
          )}
          <button type="button" class="button" disabled={isBusy} onClick={() => void answer('deny')}>
            Decline
          </button>
          <button
            type="button"
            class="button primary"
            disabled={isBusy}
            onClick={() => void answer('approve')}
          >
            Approve
          </button>
        </div>
      )}
    </section>
  );
}
