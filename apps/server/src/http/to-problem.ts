import { SettingsError } from '../settings/settings-error.ts';
import { StoreUnavailableError } from '../store/store-error.ts';
import { notValid } from './parse.ts';
import { ProblemError } from './problem.ts';

/** What a caller is told about an error: details of our own refusals, none of anything else. */
export function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof StoreUnavailableError)
    return new ProblemError('UNAVAILABLE', 'The service cannot store anything at the moment.', {
      retryAfter: 2,
    });
  if (error instanceof SettingsError) return settingsProblem(error);
  if (error instanceof URIError) return new ProblemError('BAD_REQUEST', 'The path is not valid.');
  return new ProblemError('INTERNAL', 'Something went wrong.');
}

function settingsProblem({ code, message, issues }: SettingsError): ProblemError {
  switch (code) {
    case 'not-found':
      return new ProblemError('NOT_FOUND', message);
    case 'invalid':
      return notValid(issues);
    case 'conflict':
      return new ProblemError('CONFLICT', message);
    case 'unreadable':
      return new ProblemError('INTERNAL', message);
  }
}
