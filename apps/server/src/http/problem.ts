import type { FailureCause } from '@parley/protocol/failure-cause';
import {
  type Issue,
  type Problem,
  type ProblemCode,
  type Violation,
  problemStatus,
} from '@parley/protocol/problem';
import type { Response } from 'express';
import { respondAndClose, isBodyUnread } from './body/respond-and-close.ts';

interface ProblemDetails {
  readonly issues?: readonly Issue[];
  readonly violations?: readonly Violation[];
  /** Whole seconds, also sent as `Retry-After`. */
  readonly retryAfter?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: FailureCause | undefined;
  readonly notice?: string | undefined;
}

/** A refusal that the caller is told about: the code decides the status, the message is shown as it is. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly issues: readonly Issue[] | undefined;
  readonly violations: readonly Violation[] | undefined;
  readonly retryAfter: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  override readonly cause: FailureCause | undefined;
  readonly notice: string | undefined;

  constructor(code: ProblemCode, message: string, details: ProblemDetails = {}) {
    super(message);
    this.code = code;
    this.issues = details.issues;
    this.violations = details.violations;
    this.retryAfter = details.retryAfter;
    this.headers = details.headers ?? {};
    this.cause = details.cause;
    this.notice = details.notice;
  }
}

export function sendProblem(response: Response, problem: ProblemError, requestId: string): void {
  const body: Problem = {
    ok: false,
    error: problem.message,
    code: problem.code,
    requestId,
    ...(problem.issues && { issues: [...problem.issues] }),
    ...(problem.violations && { violations: [...problem.violations] }),
    ...(problem.retryAfter !== undefined && { retryAfter: problem.retryAfter }),
    ...(problem.cause && { cause: problem.cause }),
    ...(problem.notice !== undefined && { notice: problem.notice }),
  };
  if (problem.retryAfter !== undefined) response.setHeader('retry-after', String(problem.retryAfter));
  for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value);
  response.status(problemStatus[problem.code]);
  if (isBodyUnread(response.req)) respondAndClose(response.req, response, body);
  else response.json(body);
}
