import type { FailureCause } from '@parley/protocol/failure-cause';
import { EgressDeniedError } from '../egress/egress-denied-error.ts';
import type { ModelError } from './model-error.ts';

const causes: { readonly [Kind in ModelError['kind']]: FailureCause } = {
  'key-rejected': {
    code: 'MODEL_KEY_REJECTED',
    message: 'The provider rejects the API key. Enter a valid one in the settings of the agent.',
  },
  'not-found': {
    code: 'MODEL_NOT_FOUND',
    message: 'The provider knows no such model, or has nothing at this address. Check `model` and `baseUrl`.',
  },
  'egress-denied': {
    code: 'MODEL_NOT_ALLOWED',
    message: 'The service may not reach the address of the provider.',
  },
  misconfigured: {
    code: 'MODEL_MISCONFIGURED',
    message: 'The provider does not work with the settings of the model. One is not right.',
  },
  'setting-missing': {
    code: 'MODEL_MISCONFIGURED',
    message: 'Enter it in the settings of the agent.',
  },
  unreachable: {
    code: 'MODEL_UNREACHABLE',
    message: 'The provider could not be reached or had an error of its own, in every attempt.',
  },
  stalled: {
    code: 'MODEL_TIMED_OUT',
    message: 'The provider stopped answering.',
  },
  'rate-limited': {
    code: 'MODEL_RATE_LIMITED',
    message:
      'The provider takes no more requests for now: its rate limit or the quota of the account is used up.',
  },
  refused: {
    code: 'MODEL_REJECTED',
    message: 'The provider rejects the request. Check the settings of the model and of the tools.',
  },
  malformed: {
    code: 'MODEL_MALFORMED',
    message: 'The model answered something that cannot be read.',
  },
  'too-long': {
    code: 'CONTEXT_TOO_LONG',
    message: 'The conversation is longer than the model takes. Lower `contextTokens`, or take another model.',
  },
};

/**
 * Why a model could not answer, without the words of its provider: they may repeat what was said, or a key. The
 * operator finds them in the log.
 */
export function modelFailureCause({ kind, cause, message: own }: ModelError): FailureCause {
  if (kind === 'setting-missing') return { ...causes[kind], message: `${own} ${causes[kind].message}` };
  if (kind !== 'egress-denied' || !(cause instanceof EgressDeniedError)) return causes[kind];
  const { code, message } = causes[kind];
  return { code, message: `${message} ${cause.explanation}` };
}
