import type { Response } from 'express';
import { type ApprovalLink, readApprovalToken } from '../../approval/approval-link.ts';
import { type ApprovalStanding, approvalStanding } from '../../approval/approval-standing.ts';
import { approverOf } from '../../approval/approver.ts';
import { delegateOf } from '../../approval/delegate-of.ts';
import { standingApprovals } from '../../approval/standing-approvals.ts';
import type { Secrets } from '../../crypto/secrets.ts';
import { hasApproved, mayAnswer } from '../../session/input-requests.ts';
import type { PendingRequest } from '../../session/state/phase.ts';
import type { TeamMember } from '../../session/queue-item.ts';
import type { Sessions } from '../../session/sessions.ts';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import type { Store } from '../../store/store.ts';
import type { Handlers } from '../handlers.ts';
import { shownTools } from '../widget/shown-tools.ts';
import { type ApprovalPage, type Asked, sendApprovalPage } from './send-approval-page.ts';

interface ApprovalPageDeps {
  readonly store: Store;
  readonly settings: Pick<SettingsCache, 'agent' | 'connections' | 'tools'>;
  readonly secrets: Secrets;
  readonly sessions: Pick<Sessions, 'act'>;
}

type Names = 'approvalPage' | 'approveByLink' | 'denyByLink';
type Waiting = Extract<ApprovalStanding, { kind: 'waiting' }>;

interface Opened {
  readonly waiting: Waiting;
  readonly approver: TeamMember;
  /** Whom it is asked of, by whom and with what words; null: nobody in particular. */
  readonly delegate: NonNullable<PendingRequest['delegated']> | null;
}

const noLink = {
  title: 'This link is not complete',
  text: 'Open it again from the mail, or copy all of it.',
};
const noSay = {
  title: 'This link counts no longer',
  text: 'The address that it was sent to is not asked any more. Your colleagues find the approval in the inbox.',
};

/** The page of a link in a mail, and what its two buttons do. Whatever follows links in mails, reading answers nothing. */
export function approvalPageHandlers({
  store,
  settings,
  secrets,
  sessions,
}: ApprovalPageDeps): Handlers<Names> {
  /** What the link still is good for, or the page that says why it is good for nothing. */
  async function open(link: ApprovalLink): Promise<Opened | ApprovalPage> {
    const asking = await store.getSession(link.sessionId);
    if (asking === null) return outcome({ kind: 'gone' });
    const { members, webhooks } = store.settings;
    // First of all: whoever is not asked any more is not told what became of it either.
    const approver = await approverOf({ settings, members, webhooks }, asking, link);
    if (approver === null) return noSay;
    const standing = await approvalStanding(store, link, Date.now());
    if (standing.kind !== 'waiting') return outcome(standing);
    const { session } = standing;
    const agent = await settings.agent(session.agentId);
    const { tenantId, agentId } = session;
    const team = { members, webhooks, tenantId, agentId, approvalMail: agent?.settings.approvalMail };
    const pending = await standingApprovals(team, standing.pending);
    if (!mayAnswer(pending, { by: 'team', member: approver })) return noSay;
    if (hasApproved(pending, { by: 'team', member: approver })) return approved(pending);
    return { waiting: { ...standing, pending }, approver, delegate: await delegateOf(team, pending) };
  }

  async function answer(response: Response, token: string, optionId: 'approve' | 'deny'): Promise<void> {
    const link = readApprovalToken(secrets, token);
    if (link === null) return sendApprovalPage(response, noLink, 404);
    const opened = await open(link);
    if (!('waiting' in opened)) return sendApprovalPage(response, opened);
    const { session } = opened.waiting;
    const result = await sessions.act(
      session,
      { kind: 'answer-approval', member: opened.approver, requestId: link.requestId, optionId },
      null,
    );
    if (result.outcome === 'pending' || result.outcome === 'full')
      return sendApprovalPage(response, {
        title: result.outcome === 'pending' ? 'It is being done' : 'Not yet',
        text: 'Open the link again in a moment: it says what came of it.',
      });
    // Whatever came of it, the page says so.
    response.redirect(303, `../${token}`);
  }

  return {
    async approvalPage({ response, id: token }) {
      const link = readApprovalToken(secrets, token);
      if (link === null) return sendApprovalPage(response, noLink, 404);
      const opened = await open(link);
      if (!('waiting' in opened)) return sendApprovalPage(response, opened);
      const { session, pending, call } = opened.waiting;
      const agent = await settings.agent(session.agentId);
      sendApprovalPage(response, {
        token,
        asked: {
          agentName: agent?.name ?? 'The agent',
          toolName: call.toolName,
          input: pending.request.action.input,
          displays: await shownTools(settings, session.agentId),
          approver: opened.approver.name,
          needs: needs(pending),
          handed: opened.delegate && handedOn(opened.delegate, opened.approver),
          amendedBy: call.amended?.by ?? null,
          expiresAt: link.expiresAt,
        },
      });
    },

    approveByLink: ({ response, id }) => answer(response, id, 'approve'),
    denyByLink: ({ response, id }) => answer(response, id, 'deny'),
  };
}

/** What else is needed, where one yes does not do. */
function needs({ by, approvedBy = [] }: PendingRequest): string | null {
  const [first] = approvedBy;
  if (by === 'both') return first ? 'The visitor has approved it.' : 'The visitor has to approve it, too.';
  if (by !== 'two') return null;
  return first
    ? `${first.name} has approved it. Two of the team have to.`
    : 'Two of the team have to approve it. You are the first.';
}

function handedOn(
  { from, to, line }: NonNullable<PendingRequest['delegated']>,
  approver: TeamMember,
): NonNullable<Asked['handed']> {
  const whom = to.id === approver.id ? 'you' : to.name;
  const by = from.id === to.id ? `It is asked of ${whom}.` : `${from.name} has handed it to ${whom}.`;
  return { by, line };
}

const approved = ({ by }: PendingRequest): ApprovalPage =>
  by === 'both'
    ? { title: 'The team has approved this', text: 'The visitor has to approve it, too, before it is done.' }
    : {
        title: 'You have approved this',
        text: 'Somebody else of the team has to approve it, too, before it is done.',
      };

function outcome(standing: Exclude<ApprovalStanding, { kind: 'waiting' }>): ApprovalPage {
  switch (standing.kind) {
    case 'answered': {
      const { optionId, by, member } = standing.answer;
      const who = member?.name ?? (by === 'team' ? 'the team' : 'the visitor');
      const at = new Date(standing.at).toUTCString();
      return optionId === 'approve'
        ? { title: 'Approved', text: `By ${who}, ${at}. There is nothing left to do here.` }
        : { title: 'Declined', text: `By ${who}, ${at}. It was not done.` };
    }
    case 'changed':
      return {
        title: 'This has changed',
        text: 'What you were asked about is not what would be done now. A newer mail, or the inbox, shows how it stands.',
      };
    case 'expired':
      return {
        title: 'This link has expired',
        text: 'The time to answer by this link is over. What still waits is in the inbox.',
      };
    case 'gone':
      return {
        title: 'This is not asked any more',
        text: 'The conversation went on without it, or is over.',
      };
  }
}
