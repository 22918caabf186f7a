const listeners = new WeakMap<AbortSignal, () => void>();

/** Has `listener` called whenever a provider sends something in answer to the request that `signal` aborts. */
export const listenToBytes = (signal: AbortSignal, listener: () => void): void =>
  void listeners.set(signal, listener);

export const noteBytes = (signal: AbortSignal | null | undefined): void => {
  if (signal) listeners.get(signal)?.();
};
