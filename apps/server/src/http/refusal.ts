import { maxEventBytes } from '@parley/protocol/bounds';
import { ProblemError } from './problem.ts';

/** Why something was not accepted, for the caller. */
export function acceptRefusal(
  refused:
    | { outcome: 'conflict' }
    | { outcome: 'limited'; scope: string; retryAfterMs: number }
    | { outcome: 'file-missing' }
    | { outcome: 'files-full' }
    | { outcome: 'full' }
    | { outcome: 'too-large' }
    | { outcome: 'missing' }
    | { outcome: 'ended' },
): ProblemError {
  switch (refused.outcome) {
    case 'conflict':
      return new ProblemError('IDEMPOTENCY_CONFLICT', 'This Idempotency-Key was used with another body.');
    case 'limited':
      return limited(refused.scope, Math.ceil(refused.retryAfterMs / 1000));
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

const quotaSentences: Record<string, string> = {
  tokens: 'The day’s token quota is used up.',
  uploads: 'Too many files.',
  bytes: 'The day’s quota of file bytes is used up.',
};

export function limited(scope: string, retryAfter: number): ProblemError {
  const seconds = Math.max(retryAfter, 1);
  if (!scope.startsWith('chat:')) {
    const what = quotaSentences[scope.slice(0, scope.indexOf(':'))] ?? 'Too many sessions.';
    return new ProblemError('QUOTA_EXCEEDED', `${what} Try again in ${seconds} s.`, { retryAfter: seconds });
  }
  return new ProblemError('RATE_LIMITED', `More than 60 turns in a minute. Try again in ${seconds} s.`, {
    retryAfter: seconds,
    headers: { 'ratelimit-policy': '"turns";q=60;w=60', ratelimit: `"turns";r=0;t=${seconds}` },
  });
}
