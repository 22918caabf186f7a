import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'oauth4webapi';
import { EgressDeniedError } from '../egress/egress-denied-error.ts';
import { networkReason } from '../egress/network-reason.ts';
import { SignInError } from './sign-in-error.ts';

/** What went wrong at an authorization server, in a sentence that quotes nothing of it but the code of an error. */
export function explainFailure(error: unknown, host: string): SignInError {
  const causes = [...causesOf(error)];
  const known = causes.find((cause) => cause instanceof SignInError);
  if (known) return known;
  const denied = causes.find((cause) => cause instanceof EgressDeniedError);
  if (denied) return new SignInError('denied', `${host} may not be called. ${denied.message}`);
  if (error instanceof AuthorizationResponseError) return ofCode(error.error, host);
  if (error instanceof ResponseBodyError) return ofCode(error.error, host);
  if (error instanceof WWWAuthenticateChallengeError) return unknownClient(host);
  if (causes.some(({ name }) => name === 'TimeoutError'))
    return new SignInError('failed', `${host} did not answer in time.`);
  if (causes.some(({ name }) => name === 'AbortError'))
    return new SignInError('failed', 'The sign-in was given up.');
  const isProtocol = causes.some(({ name }) => name === 'OperationProcessingError');
  if (isProtocol) return new SignInError('failed', ofProtocol(causes[0]?.message ?? '', host));
  if (causes.some(({ name }) => name === 'UnsupportedOperationError'))
    return new SignInError('failed', `${host} asks for something that this service does not do.`);
  return new SignInError('failed', `${host}: ${networkReason(causes.at(-1))}`);
}

function ofCode(code: string, host: string): SignInError {
  if (code === 'access_denied') return new SignInError('declined', 'The sign-in was declined.');
  if (code === 'invalid_grant') return new SignInError('signed-out', 'The sign-in has ended. Sign in again.');
  if (code === 'invalid_client') return unknownClient(host);
  if (code === 'unauthorized_client')
    return new SignInError('signed-out', `${host} does not take this service as its client.`);
  const said = /^[a-z_]{1,40}$/.test(code) ? code : 'an error';
  return new SignInError('failed', `${host} refused the sign-in: ${said}.`);
}

/** Which of the two it is, a server does not say. */
const unknownClient = (host: string): SignInError =>
  new SignInError(
    'unknown-client',
    `${host} has forgotten this service, or was given a wrong client id or secret. Sign in again.`,
  );

function ofProtocol(message: string, host: string): string {
  if (message.includes('"iss"'))
    return 'The answer did not come from the server that was asked, so it was not used.';
  if (message.includes('issuer'))
    return `${host} says that it is another server than the one that was asked for.`;
  return `${host} does not answer as OAuth 2.1 has it.`;
}

function* causesOf(error: unknown): Generator<Error> {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth++)
    yield cause;
}

/** What the work resolves with; whatever it throws is explained. */
export async function explained<Result>(host: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw explainFailure(error, host);
  }
}
