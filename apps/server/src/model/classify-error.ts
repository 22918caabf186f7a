import {
  APICallError,
  EmptyResponseBodyError,
  InvalidResponseDataError,
  JSONParseError,
  LoadAPIKeyError,
  LoadSettingError,
  NoSuchModelError,
  TypeValidationError,
} from '@ai-sdk/provider';
import { EgressDeniedError } from '../egress/egress-denied-error.ts';
import { retryAfterOf } from '../egress/retry-after-of.ts';
import { type ContextOverflow, contextOverflow } from './context-overflow.ts';
import { ModelError } from './model-error.ts';

/** A failed attempt: what to report, and whether another attempt may fare better. */
export interface Failure {
  readonly error: ModelError;
  readonly retry: boolean;
  /** How long the provider asks to wait, in milliseconds. */
  readonly retryAfter: number | undefined;
}

export const classifyError = (error: unknown, now: number): Failure => {
  for (const cause of causes(error)) {
    if (cause instanceof ModelError)
      return { error: cause, retry: cause.kind === 'unreachable', retryAfter: undefined };
    if (cause instanceof EgressDeniedError) return permanent('egress-denied', cause);
  }
  const overflow = contextOverflowOf(error);
  if (overflow) {
    const told = { cause: error, contextTokens: overflow.tokens };
    return {
      error: new ModelError('too-long', messageOf(error), told),
      retry: false,
      retryAfter: undefined,
    };
  }
  if (unreadableFile.test(textOf(error))) return permanent('refused', error);
  if (APICallError.isInstance(error) && error.statusCode !== undefined && error.statusCode >= 300) {
    return {
      error: new ModelError(kindOfStatus(error.statusCode), `${error.statusCode}: ${error.message}`, {
        cause: error,
      }),
      retry: mayPass(error.statusCode),
      retryAfter: retryAfterOf(error.responseHeaders?.['retry-after'], now),
    };
  }
  const malformed = [JSONParseError, TypeValidationError, InvalidResponseDataError, EmptyResponseBodyError];
  if (malformed.some((kind) => causes(error).some((cause) => kind.isInstance(cause))))
    return permanent('malformed', error);
  if ([LoadAPIKeyError, LoadSettingError, NoSuchModelError].some((kind) => kind.isInstance(error))) {
    return permanent('misconfigured', error);
  }
  if (isNetworkError(error)) {
    return { ...permanent('unreachable', error), retry: true };
  }
  const status = statusInStream(error);
  if (status === undefined) return permanent('refused', error);
  return { ...permanent(kindOfStatus(status), error), retry: mayPass(status) };
};

/** Bedrock answers 424 for an error of the model itself. */
const mayPass = (status: number): boolean => [408, 424, 429].includes(status) || status >= 500;

/** Characters of an error that are looked through. */
const maxErrorText = 10_000;

/**
 * A prompt that is too long is refused with 400, 413 or 422, or as an error inside a started stream. The same words in a
 * 429 or 5xx are about something else: "Too many tokens, please wait" is a rate limit, also inside a stream.
 */
const contextOverflowOf = (error: unknown): ContextOverflow | null => {
  if (APICallError.isInstance(error)) {
    if (error.statusCode === 413) return { tokens: undefined };
    if (error.statusCode !== 400 && error.statusCode !== 422) return null;
    return contextOverflow(textOf(error));
  }
  if (namedStatus(error) === 429) return null;
  return contextOverflow(textOf(error));
};

/** llama.cpp and Ollama answer 500 to a picture that their model cannot read: each attempt would end the same way. */
const unreadableFile =
  /(?:image|audio) input is not supported|failed to load image|missing data required for image input/i;

const textOf = (error: unknown): string => {
  if (APICallError.isInstance(error))
    return `${error.message}\n${error.responseBody ?? ''}`.slice(0, maxErrorText);
  return (error instanceof Error ? error.message : (JSON.stringify(error) ?? '')).slice(0, maxErrorText);
};

const permanent = (kind: ModelError['kind'], cause: unknown): Failure => ({
  error: new ModelError(kind, messageOf(cause), { cause }),
  retry: false,
  retryAfter: undefined,
});

const kindOfStatus = (status: number): ModelError['kind'] => {
  if (status === 429) return 'rate-limited';
  if (mayPass(status)) return 'unreachable';
  if (status === 401 || status === 403) return 'key-rejected';
  if (status === 404) return 'not-found';
  return status === 400 || status === 413 || status === 422 ? 'refused' : 'misconfigured';
};

const messageOf = (error: unknown): string => {
  if (typeof error === 'string') return error;
  const said = inStream(error).find(({ message }) => typeof message === 'string')?.['message'];
  return typeof said === 'string' ? said : (JSON.stringify(error) ?? String(error));
};

const causes = (error: unknown): unknown[] => {
  const chain = [error];
  for (let at = error; at instanceof Error && at.cause !== undefined; at = at.cause) chain.push(at.cause);
  return chain;
};

/** fetch reports a lost connection as a TypeError with the system's error as its cause, and providers wrap that once more. */
const isNetworkError = (error: unknown): boolean =>
  causes(error).some((at) => {
    if (!(at instanceof Error)) return false;
    if ('code' in at && typeof at.code === 'string' && /^(E[A-Z]+|UND_ERR_[A-Z_]+)$/.test(at.code))
      return true;
    return at instanceof TypeError && /^(fetch failed|terminated)$/.test(at.message);
  });

/** Providers send an error inside a started stream as the object of their protocol, bare or as its `error`. */
const inStream = (error: unknown): Record<string, unknown>[] => {
  if (error === null || typeof error !== 'object') return [];
  const outer = error as Record<string, unknown>;
  const inner = outer['error'];
  return typeof inner === 'object' && inner !== null ? [inner as Record<string, unknown>, outer] : [outer];
};

const namedStatus = (error: unknown): number | undefined =>
  inStream(error)
    .flatMap((part) => ['statusCode', 'status_code', 'status', 'code'].map((name) => Number(part[name])))
    .find((status) => Number.isInteger(status) && status >= 400 && status < 600);

const statusInStream = (error: unknown): number | undefined => {
  const status = namedStatus(error);
  if (status !== undefined || inStream(error).length === 0) return status;
  const text = JSON.stringify(error);
  if (/overloaded|unavailable|server_error|internal|api_error/i.test(text)) return 503;
  return /rate_?limit|throttl|exhausted|quota/i.test(text) ? 429 : undefined;
};
