const listeners = new WeakMap<AbortSignal, () => void>();

/**
 * Has `listener` called whenever a provider sends something in answer to the request that `signal` aborts. Returns the
 * function that stops it: a listener that knows its signal is garbage only to a collection of the whole heap, and the
 * prompt with it.
 */
export const listenToBytes = (signal: AbortSignal, listener: () => void): (() => void) => {
  listeners.set(signal, listener);
  return () => void listeners.delete(signal);
};

export const noteBytes = (signal: AbortSignal | null | undefined): void => {
  if (signal) listeners.get(signal)?.();
};
