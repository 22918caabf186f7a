import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import { type Duplex, Readable } from 'node:stream';
import type { MailSettings } from '@parley/protocol/settings/mail-connection';
import type { Transporter } from 'nodemailer';
import { EgressDeniedError } from '../egress/egress-denied-error.ts';
import type { Egress } from '../egress/egress.ts';
import { errorCode, networkReason } from '../egress/network-reason.ts';
import { TooLargeError } from '../egress/read-text.ts';
import { CappedSocket } from './capped-socket.ts';
import { mayReceive } from './may-receive.ts';

const connectTimeoutMs = 10_000;
/** Without a word from the server. */
const silenceMs = 20_000;
/** For everything: a server that goes on without coming to an end is never silent. */
const longestMs = 60_000;
/** For taking leave. */
const leaveMs = 1_000;
/**
 * What a server sends for one mail, its certificates with it, is a fifth of that. The client queues each line that comes, and
 * a million of them hold the process up for seconds.
 */
const maxBytes = 65_536;

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for every delivery of one mail, so that whoever gets it twice can tell. */
  readonly id: string;
  /** An appointment, in iCalendar. */
  readonly event?: { readonly method: 'request' | 'cancel'; readonly content: string };
}

/**
 * Null: it was taken. Otherwise why it was not, in a sentence; `denied`: the server is one that nobody may call;
 * `uncertain`: it may have been taken all the same, since the server was given its text and did not say no;
 * `explanation`: what administrators are told instead, and no model.
 */
export type MailProblem = {
  readonly message: string;
  readonly explanation?: string;
  readonly denied: boolean;
  readonly uncertain?: true;
} | null;

/** Hands mail to the SMTP servers of tenants, whose addresses `egress` judges. */
export class Mailer {
  readonly #egress: Pick<Egress, 'openMailSocket'>;

  constructor(egress: Pick<Egress, 'openMailSocket'>) {
    this.#egress = egress;
  }

  /** `signal`: it is to be given up, as a server that does not answer in time is. */
  send(
    settings: MailSettings,
    { to, subject, text, id, event }: Mail,
    signal?: AbortSignal,
  ): Promise<MailProblem> {
    if (!mayReceive(settings.recipients, to))
      return Promise.resolve({ message: `Nobody has allowed mail to ${to}.`, denied: false });
    const { from: address, fromName: name } = settings;
    const domain = address.slice(address.indexOf('@') + 1);
    return this.#with(
      settings,
      (transport) =>
        transport.sendMail({
          from: { name, address },
          to,
          subject,
          text,
          messageId: `<${id}@${domain}>`,
          // So that no mailbox answers by itself (RFC 3834, 5).
          headers: { 'Auto-Submitted': 'auto-generated' },
          ...(event && { icalEvent: { ...event, filename: 'invitation.ics' } }),
        }),
      signal,
    );
  }

  /** Whether the server lets this service in; nothing is sent. */
  check(settings: MailSettings): Promise<MailProblem> {
    return this.#with(settings, (transport) => transport.verify());
  }

  async #with(
    { host, port, security, user, password }: MailSettings,
    use: (transport: Transporter) => Promise<unknown>,
    signal?: AbortSignal,
  ): Promise<MailProblem> {
    const { createTransport } = await import('nodemailer');
    let failure: unknown = null;
    let isHandedOver = false;
    let isAborted = false;
    const sockets = new Set<Socket>();
    const transport = createTransport({
      host,
      port,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      ...(user !== '' && password !== undefined && { auth: { user, pass: password } }),
      ...(isIP(host) === 0 && { tls: { servername: host } }),
      connectionTimeout: connectTimeoutMs,
      greetingTimeout: connectTimeoutMs,
      socketTimeout: silenceMs,
      disableFileAccess: true,
      disableUrlAccess: true,
      getSocket: (_options, callback) => {
        this.#egress.openMailSocket(host, port).then(
          (connection) => {
            // It came too late to be used.
            if (isAborted) return void connection.destroy();
            sockets.add(connection);
            // The client uses no more of a socket than this has.
            const capped = new CappedSocket(connection, maxBytes) as Duplex as Socket;
            callback(null, { connection: capped });
          },
          (error: unknown) => {
            failure = error;
            callback(error instanceof Error ? error : new Error(String(error)));
          },
        );
      },
    });
    // The text is read once the server has asked for it.
    async function* handedOver(text: AsyncIterable<unknown>) {
      isHandedOver = true;
      yield* text;
    }
    transport.use('stream', ({ message }, done) => {
      message.processFunc((text) => Readable.from(handedOver(text)));
      done();
    });
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    const abort = () => {
      isAborted = true;
      // What was not handed over by now never is.
      sockets.forEach((socket) => socket.destroy());
      reject(Object.assign(new Error(), { code: 'ETIMEDOUT' }));
    };
    const late = setTimeout(abort, longestMs);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    try {
      await Promise.race([use(transport), tooLate]);
      return null;
    } catch (error) {
      const problem = problemOf(failure ?? error);
      return isHandedOver && !isRefusal(error) ? { ...problem, uncertain: true } : problem;
    } finally {
      clearTimeout(late);
      signal?.removeEventListener('abort', abort);
      transport.close();
      setTimeout(() => sockets.forEach((socket) => socket.destroy()), leaveMs).unref();
    }
  }
}

/** What went wrong, in words of ours: what a server answers may be written by anybody. */
function problemOf(error: unknown): NonNullable<MailProblem> {
  if (error instanceof EgressDeniedError)
    return { message: error.message, explanation: error.explanation, denied: true };
  if (error instanceof TooLargeError)
    return { message: 'The mail server answered with more than 64 kB.', denied: false };
  const status = Object(error).responseCode as unknown;
  const said = typeof status === 'number' ? `It answered ${status}.` : '';
  switch (errorCode(error)) {
    case 'EAUTH':
      return {
        message: `The mail server does not take this user and password. ${said}`.trim(),
        denied: false,
      };
    case 'ETLS':
      return {
        message: 'The mail server offers no encrypted connection that can be trusted.',
        denied: false,
      };
    case 'EENVELOPE':
      return {
        message: `The mail server does not take mail for this address. ${said}`.trim(),
        denied: false,
      };
    case 'ETIMEDOUT':
      return { message: 'The mail server did not answer in time.', denied: false };
    default:
      return {
        message: said === '' ? networkReason(systemError(error)) : `The mail server refused. ${said}`,
        denied: false,
      };
  }
}

/** Whether the server has said no, to whatever it was asked. */
const isRefusal = (error: unknown): boolean =>
  typeof Object(error).responseCode === 'number' || ['EAUTH', 'ETLS'].includes(errorCode(error));

/** The client keeps the code of the system beside its own. */
function systemError(error: unknown): unknown {
  const { originalCode } = Object(error) as { originalCode?: unknown };
  return typeof originalCode === 'string' ? Object.assign(new Error(), { code: originalCode }) : error;
}
