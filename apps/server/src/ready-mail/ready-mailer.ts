import { createHash } from 'node:crypto';
import { readyMailShare } from '../limit/connection-quotas.ts';
import { sentReadyMailQuotas } from '../limit/ready-mail-quotas.ts';
import type { Logger } from '../logger.ts';
import { MailSweep } from '../mail/mail-sweep.ts';
import type { Mailer } from '../mail/mailer.ts';
import { noticeMail } from '../mail/notice-mail.ts';
import { oneLine } from '../mail/one-line.ts';
import type { Secrets } from '../crypto/secrets.ts';
import type { SettingsCache } from '../settings/settings-cache.ts';
import type { StoredReadyMail } from '../store/ready-mail-store.ts';
import type { Store } from '../store/store.ts';
import { lookPause } from './look-pause.ts';
import { readyMailText } from './ready-mail-words.ts';
import { type ReadyNews, readyStanding } from './ready-standing.ts';

/** Longer than handing over a mail takes. */
const leaseMs = 90_000;
/** After these a mail is given up: whoever waits so long has looked. */
const maxAttempts = 4;
const firstPauseMs = 60_000;

interface ReadyMailerDeps {
  readonly store: Store;
  readonly settings: Pick<SettingsCache, 'agent' | 'connections'>;
  readonly secrets: Pick<Secrets, 'mac'>;
  readonly mailer: Pick<Mailer, 'send'>;
  readonly logger: Logger;
}

/**
 * Writes to visitors who asked for it once what they wait for is finished, or asks them something. At most once: what is
 * handed over is marked as taken before, and due again only where the server certainly did not take it. It is in the store
 * meanwhile, so that whoever erases the address finds it.
 */
export class ReadyMailer {
  readonly #deps: ReadyMailerDeps;
  readonly #sweep: MailSweep<StoredReadyMail>;

  constructor(deps: ReadyMailerDeps) {
    const { store, logger } = deps;
    this.#deps = deps;
    this.#sweep = new MailSweep({
      claim: (query) => store.claimReadyMails({ ...query, leaseMs }),
      deliver: (mail, signal) => this.#look(mail, signal),
      failed: (err) => logger.warn({ err }, 'mail that visitors wait for could not be sent yet'),
    });
  }

  start(): void {
    this.#sweep.start();
  }

  stop(): Promise<void> {
    return this.#sweep.stop();
  }

  async #look(mail: StoredReadyMail, signal: AbortSignal): Promise<void> {
    const { store, settings } = this.#deps;
    const { id, sessionId, sequence, askedAt, expiresAt } = mail;
    const now = Date.now();
    const session = now < expiresAt ? await store.getSession(sessionId) : null;
    const standing = session ? await readyStanding(store, session, sequence, now) : 'none';
    if (standing === 'working') return store.postponeReadyMail(id, lookPause(now - askedAt));
    const agent = session && (await settings.agent(session.agentId));
    if (standing === 'none' || !agent || agent.settings.readyMail !== true) return store.removeReadyMail(id);
    await this.#send(mail, { news: standing, agentId: agent.id, agentName: agent.name, signal });
  }

  async #send(
    mail: StoredReadyMail,
    {
      news,
      agentId,
      agentName,
      signal,
    }: { news: ReadyNews; agentId: string; agentName: string; signal: AbortSignal },
  ): Promise<void> {
    const { store, settings, secrets, mailer, logger } = this.#deps;
    const { id, address, language, origin } = mail;
    const connections = await settings.connections(agentId);
    const server = noticeMail(connections);
    if (!server) {
      logger.warn(
        { agentId },
        'mail that a visitor waits for was dropped: the agent has no connection for mail',
      );
      return store.removeReadyMail(id);
    }
    // First of all: what two look at is sent once, and counted once.
    if (!(await store.takeReadyMail(id))) return;
    // What a server did not take has been counted.
    const daily = mail.attempts === 0 ? sentReadyMailQuotas(mail, secrets) : [];
    const full = await store.countQuotas([...readyMailShare(server), ...daily]);
    if (full && daily.some(({ scope }) => scope === full.scope)) {
      logger.warn({ agentId }, 'mail that a visitor waits for was dropped: there were enough today');
      return store.removeReadyMail(id);
    }
    if (full) return store.returnReadyMail(id, { dueInMs: full.retryAfterMs, wasTried: false });
    const problem = await mailer.send(
      // Who may be written to by the agent is another matter: these have asked for it.
      { ...server, recipients: [address] },
      {
        to: address,
        ...readyMailText(news, { agent: oneLine(agentName), language, origin }),
        id: createHash('sha256').update(`ready\n${id}`).digest('hex').slice(0, 32),
      },
      signal,
    );
    if (problem === null) return store.removeReadyMail(id);
    const attempts = mail.attempts + 1;
    // A process that stops has not waited for as long as an attempt may take.
    const isLast = attempts >= maxAttempts && !signal.aborted;
    const isGivenUp = problem.uncertain === true || isLast;
    logger.warn({ problem: problem.message, isGivenUp }, 'mail that a visitor waits for was not taken');
    if (isGivenUp) return store.removeReadyMail(id);
    await store.returnReadyMail(id, { dueInMs: firstPauseMs * 2 ** (attempts - 1), wasTried: true });
  }
}
