import type { SessionReference } from '@parley/client/session';

export type ConversationStore = ReturnType<typeof createConversationStore>;

/**
 * Which conversation this visitor is in, for every tab of the origin. Kept in `localStorage`, in memory where that
 * is blocked; nothing is written before there is a conversation.
 */
export function createConversationStore(base: string, key: string) {
  const name = `parley:${base}:${key}`;
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name);
  let memory: SessionReference | null = null;

  const parse = (text: string | null): SessionReference | null => {
    if (text === null) return null;
    try {
      const value: unknown = JSON.parse(text);
      return isReference(value) ? value : null;
    } catch {
      return null;
    }
  };

  return {
    read(): SessionReference | null {
      try {
        return parse(localStorage.getItem(name)) ?? memory;
      } catch {
        return memory;
      }
    },
    write(reference: SessionReference | null) {
      memory = reference;
      try {
        if (reference) localStorage.setItem(name, JSON.stringify(reference));
        else localStorage.removeItem(name);
      } catch {
        // Storage is blocked or full: the conversation lives as long as this page.
      }
      channel?.postMessage(reference);
    },
    /** Calls back with what another tab has chosen. */
    subscribe(changed: (reference: SessionReference | null) => void): () => void {
      const onMessage = ({ data }: MessageEvent<unknown>) => {
        memory = isReference(data) ? data : null;
        changed(memory);
      };
      const onStorage = (event: StorageEvent) => {
        if (event.key === name) changed(parse(event.newValue));
      };
      if (channel) {
        channel.addEventListener('message', onMessage);
        return () => channel.close();
      }
      addEventListener('storage', onStorage);
      return () => removeEventListener('storage', onStorage);
    },
  };
}

function isReference(value: unknown): value is SessionReference {
  if (typeof value !== 'object' || value === null) return false;
  const { sessionId, continuationToken } = value as Record<string, unknown>;
  return typeof sessionId === 'string' && typeof continuationToken === 'string';
}
