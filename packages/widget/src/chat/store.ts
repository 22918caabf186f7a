/** One immutable state, replaced as a whole. */
export type Store<State> = {
  readonly state: State;
  readonly set: (change: Partial<State>) => void;
  /** Calls back after each change. Returns the end of it. */
  readonly subscribe: (changed: () => void) => () => void;
};

export function createStore<State extends object>(state: State): Store<State> {
  const subscribers = new Set<() => void>();
  return {
    get state() {
      return state;
    },
    set(change) {
      state = { ...state, ...change };
      for (const changed of subscribers) changed();
    },
    subscribe(changed) {
      subscribers.add(changed);
      return () => subscribers.delete(changed);
    },
  };
}
