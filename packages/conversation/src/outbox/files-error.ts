import { ParleyError } from '@parley/client/error';
import type { Violation } from '@parley/protocol/problem';

/** The files of a message from before a reload could not be kept. */
export class FilesLost extends ParleyError {
  readonly isLost = true;
}

/** The service does not take these files. */
export class FilesRefused extends ParleyError {
  override readonly violations: readonly Violation[];

  constructor(error: ParleyError, violations: readonly Violation[]) {
    super(error.code, error.message, error);
    this.violations = violations;
  }
}
