import { maxEventBytes } from '@parley/protocol/bounds';
import type { Limited } from '../store/limit-store.ts';
import type { KeyRecord } from '../store/settings-store.ts';
import { turnsPerMinute } from '../limit/turns-per-minute.ts';
import { ProblemError } from './problem.ts';

/**
 * The limit that was reached. Its scope is `<what>:<dimension>:<id>`, or `chat:<key>` for the turns a minute of a
 * key; its window is 0 for what is open at once.
 */
type ReachedLimit = Omit<Limited, 'outcome'>;

/** Why something was not accepted, for the caller. */
export function rejectionProblem(
  rejection:
    | { outcome: 'conflict' }
    | Limited
    | { outcome: 'file-missing' }
    | { outcome: 'files-full' }
    | { outcome: 'full' }
    | { outcome: 'too-large' }
    | { outcome: 'missing' }
    | { outcome: 'ended' },
  key: Pick<KeyRecord, 'kind' | 'turnsPerMinute'>,
): ProblemError {
  switch (rejection.outcome) {
    case 'conflict':
      return new ProblemError('IDEMPOTENCY_CONFLICT', 'This Idempotency-Key was used with another body.');
    case 'limited':
      return rejection.scope.startsWith('chat:')
        ? rateLimited(rejection, turnsPerMinute(key))
        : quotaExceeded(rejection, key);
    case 'file-missing':
      return noSuchFile();
    case 'files-full':
      return new ProblemError(
        'QUOTA_EXCEEDED',
        'The files of this conversation have as many bytes as they may. Please start a new one.',
      );
    case 'full':
      return new ProblemError(
        'QUEUE_FULL',
        'Too many messages are waiting. Wait for an answer, then send again.',
        {
          retryAfter: 5,
        },
      );
    case 'too-large': {
      const message =
        `The message takes more than ${maxEventBytes} bytes of JSON in the log, which holds its text twice. ` +
        'Shorten it, or the names and addresses of its files.';
      return new ProblemError('BAD_REQUEST', message, { issues: [{ path: ['message'], message }] });
    }
    case 'missing':
    case 'ended':
      return sessionGone();
  }
}

/** The same for unknown, foreign, incomplete and expired files, and those of earlier messages: which it is, is nobody's business. */
export function noSuchFile(): ProblemError {
  const message = 'There is no such file. Upload it, and name it in one message within an hour.';
  return new ProblemError('BAD_REQUEST', message, { issues: [{ path: ['message'], message }] });
}

/** The same for unknown and foreign sessions: which it is, is nobody's business. */
export function sessionNotFound(): ProblemError {
  return new ProblemError('SESSION_NOT_FOUND', 'Session not found.');
}

/** The same for unknown, foreign and ended sessions: which it is, is nobody's business. */
export function sessionGone(): ProblemError {
  return new ProblemError('SESSION_NOT_RESUMABLE', 'Session is not active and cannot be resumed.');
}

/** Which limit was reached and when to come back; for the tenant's own server also the setting that raises it. */
export function quotaExceeded(limited: ReachedLimit, key: Pick<KeyRecord, 'kind'>): ProblemError {
  const [what = '', dimension = ''] = limited.scope.split(':');
  const retryAfter = secondsLeft(limited);
  const sentence = `${tooMany[what] ?? 'Too much was asked for'}${from[dimension] ?? ''}. Try again in ${wait(retryAfter)}.`;
  const setting =
    key.kind === 'secret' ? ` The agent's limit is ${settingName(what, dimension, limited.windowMs)}.` : '';
  return new ProblemError('QUOTA_EXCEEDED', sentence + setting, { retryAfter });
}

const tooMany: Readonly<Record<string, string>> = {
  turns: 'There were too many messages',
  sessions: 'Too many conversations were started',
  streams: 'Too many streams are open',
  requests: 'There were too many requests',
  uploads: 'Too many files were sent',
  bytes: 'The files are too large together',
  signIns: 'There were too many attempts to sign in',
  trials: 'Too much was tried out',
  pictures: 'The picture was changed too often',
  pages: 'Too many pages were looked at',
  links: 'Too many links to another device were made',
  ratings: 'There were too many ratings',
  readyMails: 'Too many mails were asked for',
  tokens: 'The assistant has reached its limit for today',
};

const from: Readonly<Record<string, string>> = {
  key: ' with this key',
  address: ' from this address',
  session: ' in this conversation',
  account: ' with this name',
  member: ' by you',
  mailbox: ' at this address',
};

/** The name of the limit in the agent's settings. */
function settingName(what: string, dimension: string, windowMs: number): string {
  if (what === 'sessions' && dimension === 'key' && windowMs === 60_000) return 'sessionsPerMinute';
  if (what === 'tokens') return 'tokensPerDay';
  const named = what === 'bytes' ? 'storedBytes' : what;
  const window = windowMs === 0 ? '' : windowMs === 60_000 ? 'PerMinute' : 'PerDay';
  return `${named}Per${dimension.charAt(0).toUpperCase()}${dimension.slice(1)}${window}`;
}

function wait(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3_600)} h`;
}

function secondsLeft({ retryAfterMs }: ReachedLimit): number {
  return Math.max(Math.ceil(retryAfterMs / 1000), 1);
}

function rateLimited(limited: ReachedLimit, limit: number): ProblemError {
  const retryAfter = secondsLeft(limited);
  return new ProblemError(
    'RATE_LIMITED',
    `More than ${limit} turns in a minute. Try again in ${retryAfter} s.`,
    {
      retryAfter,
      headers: { 'ratelimit-policy': `"turns";q=${limit};w=60`, ratelimit: `"turns";r=0;t=${retryAfter}` },
    },
  );
}
