import type { Issue } from '@parley/protocol/problem';

/** Why a settings call does nothing; `http/` turns it into a problem. */
type SettingsErrorCode = 'not-found' | 'invalid' | 'conflict' | 'unreadable';

export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly code: SettingsErrorCode;
  /** With `invalid`. */
  readonly issues: readonly Issue[];

  constructor(code: SettingsErrorCode, message: string, issues: readonly Issue[] = []) {
    super(message);
    this.code = code;
    this.issues = issues;
  }
}

const nothing = 'There is nothing with this id. It may have been deleted.';

/** The same for what does not exist and what belongs to somebody else. */
export const notFound = (): SettingsError => new SettingsError('not-found', nothing);

export const invalid = (path: Issue['path'], message: string): SettingsError =>
  new SettingsError('invalid', message, [{ path, message }]);

/** What is stored is not what whoever asks has seen. */
export const conflict = (message: string): SettingsError => new SettingsError('conflict', message);

/** A field names something that does not exist, or that belongs to somebody else. */
export const dangling = (field: string): SettingsError => invalid([field], nothing);
