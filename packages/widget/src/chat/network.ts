import { ParleyError } from '@parley/client/error';

/** After which a network that may not have been away at all is tried again. */
const longPause = 15_000;

/** What waits for the network to be back. */
export function createNetwork() {
  let returned = Promise.withResolvers<void>();
  return {
    isBack() {
      returned.resolve();
      returned = Promise.withResolvers();
    },
    /** Does it again when the network is back, if that is what was missing. */
    whenBack({ code }: ParleyError, again: () => void) {
      if (code === 'NETWORK') void returned.promise.then(again);
    },
    /** Does it as soon as the network lets it, while it is wanted. Whether it was done. */
    async insist(attempt: () => Promise<unknown>, isWanted: () => boolean): Promise<boolean> {
      while (isWanted()) {
        try {
          await attempt();
          return true;
        } catch (error) {
          if (asParleyError(error).code !== 'NETWORK') throw error;
          await Promise.race([returned.promise, new Promise((later) => setTimeout(later, longPause))]);
        }
      }
      return false;
    },
  };
}

export function asParleyError(error: unknown): ParleyError {
  return error instanceof ParleyError ? error : new ParleyError('PROTOCOL', String(error), { cause: error });
}
