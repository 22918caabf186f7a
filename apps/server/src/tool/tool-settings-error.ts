import type { Issue as ProblemIssue } from '@parley/protocol/problem';

/** Settings of a tool that cannot be taken as they were sent. */
export class ToolSettingsError extends Error {
  override readonly name = 'ToolSettingsError';
  readonly issue: ProblemIssue;

  constructor(issue: ProblemIssue) {
    super(issue.message);
    this.issue = issue;
  }
}
