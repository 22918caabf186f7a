/** What happened to settings that something at run time depends on. Told after it is stored. */
type SettingsChange =
  | { readonly type: 'agent-removed'; readonly agentId: string }
  | { readonly type: 'agent-deactivated'; readonly agentId: string }
  /** Deleted, regenerated, or bound to another agent: whatever it holds open must end. */
  | { readonly type: 'key-revoked'; readonly keyId: string }
  | { readonly type: 'origins-changed' };

type Listener = (change: SettingsChange) => void | Promise<void>;

export interface SettingsChanges {
  /** Resolves when every listener has dealt with it; rejects with the first failure, after all have run. */
  announce(change: SettingsChange): Promise<void>;
  /** Answers how to unsubscribe. */
  subscribe(listener: Listener): () => void;
}

export function createSettingsChanges(): SettingsChanges {
  const listeners = new Set<Listener>();
  return {
    async announce(change) {
      const results = await Promise.allSettled([...listeners].map(async (listener) => listener(change)));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
