import { ParleyError } from '@parley/client/error';

/** What waits for the network to be back. */
export function createNetwork() {
  let returned = Promise.withResolvers<void>();
  return {
    get returned() {
      return returned.promise;
    },
    isBack() {
      returned.resolve();
      returned = Promise.withResolvers();
    },
    /** Does it again when the network is back, if that is what was missing. */
    whenBack({ code }: ParleyError, again: () => void) {
      if (code === 'NETWORK') void returned.promise.then(again);
    },
  };
}

export function asParleyError(error: unknown): ParleyError {
  return error instanceof ParleyError ? error : new ParleyError('PROTOCOL', String(error), { cause: error });
}
