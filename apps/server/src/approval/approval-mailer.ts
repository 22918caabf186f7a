import { createHash } from 'node:crypto';
import { maxDelegationLine } from '@parley/protocol/bounds';
import { type ToolDisplays, titleOf } from '@parley/protocol/tool-text';
import type { Secrets } from '../crypto/secrets.ts';
import { approvalMailQuotas } from '../limit/connection-quotas.ts';
import type { Logger } from '../logger.ts';
import { MailSweep } from '../mail/mail-sweep.ts';
import type { Mailer } from '../mail/mailer.ts';
import { noticeMail } from '../mail/notice-mail.ts';
import { oneLine } from '../mail/one-line.ts';
import type { SettingsCache } from '../settings/settings-cache.ts';
import { hasApproved } from '../session/input-requests.ts';
import type { PendingRequest } from '../session/state/phase.ts';
import type { ApprovalMail } from '../store/approval-mail-store.ts';
import type { Store } from '../store/store.ts';
import { approvalLinkMs, approvalToken } from './approval-link.ts';
import { approvalStanding } from './approval-standing.ts';
import { approverOf } from './approver.ts';
import { delegateOf, isWrittenTo } from './delegate-of.ts';
import { standingApprovals } from './standing-approvals.ts';

/** Longer than handing over a mail takes. */
const leaseMs = 90_000;
/** After these a mail is given up; the inbox has the approval all the same. */
const maxAttempts = 6;
const firstPauseMs = 60_000;
/** What may be sent again in a moment waits longer by up to this, so that not all of it comes together. */
const spreadMs = 30_000;

/** Until it is looked at again whether somebody else is asked: a quarter of what is left, between a minute and ten. */
const handedPauseMs = (leftMs: number): number => Math.ceil(Math.max(Math.min(leftMs / 4, 600_000), 60_000));

/** How handing over a mail went: it is done with, was not taken, or has to wait, for room in a quota or for whom it is asked. */
type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly problem: string }
  | { readonly kind: 'waits'; readonly retryAfterMs: number };

const done: Outcome = { kind: 'done' };
const failed = (problem: string): Outcome => ({ kind: 'failed', problem });

interface ApprovalMailerDeps {
  readonly store: Store;
  readonly settings: Pick<SettingsCache, 'agent' | 'connections'>;
  /** How people see the tools of an agent. */
  readonly displaysOf: (agentId: string) => Promise<ToolDisplays>;
  readonly secrets: Secrets;
  readonly mailer: Pick<Mailer, 'send'>;
  /** Where the page of a token is. */
  readonly pageUrl: (token: string) => string;
  readonly logger: Logger;
}

/** Writes to whoever may answer an approval, at least once: a mail that comes twice has the same id. */
export class ApprovalMailer {
  readonly #deps: ApprovalMailerDeps;
  readonly #sweep: MailSweep<ApprovalMail>;

  constructor(deps: ApprovalMailerDeps) {
    const { store, logger } = deps;
    this.#deps = deps;
    this.#sweep = new MailSweep({
      claim: (query) => store.claimApprovalMails({ ...query, leaseMs }),
      deliver: (mail) => this.#deliver(mail),
      failed: (err) => logger.warn({ err }, 'mail of approvals could not be sent yet'),
    });
  }

  start(): void {
    this.#sweep.start();
  }

  stop(): Promise<void> {
    return this.#sweep.stop();
  }

  async #deliver(mail: ApprovalMail): Promise<void> {
    const { store, logger } = this.#deps;
    const { attempts } = mail;
    let outcome: Outcome;
    try {
      outcome = await this.#send(mail);
    } catch (err) {
      logger.warn({ err }, 'mail of an approval could not be sent');
      outcome = failed('It could not be made.');
    }
    if (outcome.kind === 'done') return store.removeApprovalMail(mail);
    if (outcome.kind === 'waits') {
      const dueInMs = outcome.retryAfterMs + Math.floor(Math.random() * spreadMs);
      return store.postponeApprovalMail(mail, { dueInMs, wasTried: false });
    }
    if (attempts < maxAttempts)
      return store.postponeApprovalMail(mail, {
        dueInMs: firstPauseMs * 2 ** (attempts - 1),
        wasTried: true,
      });
    const { problem } = outcome;
    logger.warn({ problem }, 'mail of an approval was given up');
    return store.removeApprovalMail(mail);
  }

  /** Done: it was taken, or there is nothing more to write about. */
  async #send({
    sessionId,
    requestId,
    address,
    memberId,
    isReminder,
    endsInMs,
  }: ApprovalMail): Promise<Outcome> {
    const { store, settings, secrets, mailer, pageUrl } = this.#deps;
    if (endsInMs <= 0) return done;
    const session = await store.getSession(sessionId);
    if (session === null) return done;
    const now = Date.now();
    const asked = { sessionId, requestId, fingerprint: null, expiresAt: Infinity };
    const standing = await approvalStanding(store, asked, now);
    const mailbox = { address, memberId };
    const { members, webhooks } = store.settings;
    const approver = await approverOf({ settings, members, webhooks }, session, mailbox);
    if (standing.kind !== 'waiting' || approver === null) return done;
    const { call } = standing;
    const agent = await settings.agent(session.agentId);
    const { tenantId, agentId } = session;
    const team = { members, webhooks, tenantId, agentId, approvalMail: agent?.settings.approvalMail };
    const pending = await standingApprovals(team, standing.pending);
    if (hasApproved(pending, { by: 'team', member: approver })) return done;
    const delegate = await delegateOf(team, pending);
    // Once whom it was handed to may not answer it any more, all who may are asked again.
    if (!isWrittenTo(team, pending, delegate, memberId))
      return { kind: 'waits', retryAfterMs: handedPauseMs(endsInMs) };
    const handed = delegate?.to.id === memberId ? delegate : null;
    const connections = await settings.connections(session.agentId);
    const server = noticeMail(connections);
    if (!server || !agent) return failed('The agent has no connection for mail.');
    const full = await store.countQuotas(approvalMailQuotas(server, { secrets, sessionId }));
    if (full !== null) return { kind: 'waits', retryAfterMs: full.retryAfterMs };
    const expiresAt = Math.min(pending.expiresAt ?? Infinity, now + approvalLinkMs);
    const fingerprint = call.fingerprint ?? '';
    const token = approvalToken(secrets, { ...asked, ...mailbox, fingerprint, expiresAt });
    const title = titleOf(call.toolName, await this.#deps.displaysOf(session.agentId), 'en');
    const sent = await mailer.send(
      // Whoever sets up the agent has named the address.
      { ...server, recipients: [address] },
      {
        to: address,
        subject: oneLine(`${isReminder ? 'Still waiting' : 'To approve'}: ${title}`),
        text: textOf({ agent: agent.name, title, url: pageUrl(token), expiresAt, isReminder, handed }),
        id: createHash('sha256')
          .update(`${requestId}\n${address}\n${isReminder}${handed && !isReminder ? '\nhanded' : ''}`)
          .digest('hex')
          .slice(0, 32),
      },
    );
    return sent === null ? done : failed(sent.message);
  }
}

interface MailContent {
  readonly agent: string;
  readonly title: string;
  readonly url: string;
  readonly expiresAt: number;
  readonly isReminder: boolean;
  /** By whom it was handed to whoever is written to, if it was. */
  readonly handed: PendingRequest['delegated'] | null;
}

const handedBy = ({ from, line }: NonNullable<PendingRequest['delegated']>): string =>
  `${oneLine(from.name)} has handed it to you${line === null ? '.' : `: ${oneLine(line, maxDelegationLine)}`}`;

/** Without the arguments, which a visitor may have worded: they are on the page, shown as what they are. */
const textOf = ({ agent, title, url, expiresAt, isReminder, handed }: MailContent): string =>
  [
    `${oneLine(agent)} ${isReminder ? 'still waits for somebody to approve' : 'asks for an approval'}: ${oneLine(title)}`,
    ...(handed ? ['', handedBy(handed)] : []),
    '',
    'See what it would do, and answer:',
    url,
    '',
    `The link is for you alone and counts as your answer, once, until ${new Date(expiresAt).toUTCString()}. Opening it answers nothing.`,
  ].join('\n');
