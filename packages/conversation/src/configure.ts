import { isPassing, type ParleyError } from '@parley/client/error';
import type { ConversationState } from './conversation-state.ts';
import type { Clock } from '@parley/client/clock';
import type { Environment } from './environment.ts';
import { loadConfig, type WidgetConfig } from './load-config.ts';
import { asParleyError, nextPause } from './reconnection.ts';
import type { ConversationStorage } from './storage/conversation-storage.ts';

/** Of the settings every answer that is not one of ours, and every fault of the service, is one that may pass. */
const isTemporary = (error: ParleyError) =>
  isPassing(error) || error.code === 'PROTOCOL' || error.code === 'INTERNAL';

type Options = {
  service: { fetch: typeof fetch; baseUrl: string; key: string };
  storage: Pick<ConversationStorage, 'read'>;
  clock: Clock;
  events: Environment['events'];
  signal: AbortSignal;
  ready: (config: WidgetConfig) => void;
  report: (error: ParleyError) => void;
};

/**
 * Learns the agent's settings, as soon as the network lets it. What it returns tries again at once, and shows that it
 * does; by itself it changes nothing until there is something else.
 */
export function configure(
  { setup }: ConversationState,
  { service: { fetch, baseUrl, key }, storage, clock, events, signal, ready, report }: Options,
): () => void {
  let failures = 0;
  let attempts = 0;
  let cancel = () => {};
  let waiting = false;
  const attempt = async () => {
    const mine = ++attempts;
    waiting = false;
    cancel();
    try {
      const config = await loadConfig(fetch, baseUrl, key, storage.read()?.sessionId);
      if (!signal.aborted && mine === attempts) ready(config);
    } catch (cause) {
      if (signal.aborted || mine !== attempts) return;
      const error = asParleyError(cause);
      const { value } = setup;
      if (value.kind !== 'failed' || value.error.code !== error.code) report(error);
      const temporary = isTemporary(error);
      setup.value = { kind: 'failed', error, temporary };
      if (!temporary) return;
      waiting = true;
      cancel = clock.after(nextPause(error, failures++), () => void attempt());
    }
  };
  signal.addEventListener('abort', () => cancel());
  events?.addEventListener('online', () => void (waiting && attempt()), { signal });
  void attempt();
  return () => {
    setup.value = { kind: 'loading' };
    void attempt();
  };
}
