/** At most `size` at once for one owner, the rest in order of arrival; owners never wait for each other. */
export function createSemaphore(size: number) {
  const owners = new Map<string, { taken: number; readonly waiting: (() => void)[] }>();

  return {
    /** Resolves to the function that gives the slot back. An aborted wait leaves the queue and throws the signal's reason. */
    async take(owner: string, signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted();
      const slots = owners.get(owner) ?? { taken: 0, waiting: [] };
      owners.set(owner, slots);
      if (slots.taken < size) slots.taken++;
      else {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        const leave = () => {
          const place = slots.waiting.indexOf(resolve);
          if (place >= 0) slots.waiting.splice(place, 1);
          reject(signal.reason);
        };
        slots.waiting.push(resolve);
        signal.addEventListener('abort', leave, { once: true });
        await promise.finally(() => signal.removeEventListener('abort', leave));
      }
      return () => {
        const next = slots.waiting.shift();
        if (next) next();
        else if (--slots.taken === 0) owners.delete(owner);
      };
    },
  };
}
