import { withVisitorToken } from '@parley/client/visitor-token';
import { emptyTranscript } from '@parley/client/transcript';
import type { Chat } from '../chat/chat-model.ts';
import type { Page } from '../chat/page.ts';
import type { Panel } from '../launcher/widget-api.ts';
import { tellPage } from '../panel/tell-page.ts';
import { conversationEvents } from './conversation-events.ts';

export type PageCalls = Pick<Panel, 'send' | 'prefill' | 'identify' | 'logout'> & {
  /** Does what the agent has asked the page's tools for. */
  runTools(): void;
};

/** What the page may ask of a conversation and hears of it. */
export function servePage(host: Element, chat: Chat, page: Page, platform: string): PageCalls {
  let before = emptyTranscript;
  const running = new Set<string>();
  const isNews: Parameters<typeof conversationEvents>[2] = ({ id, startedAt }) =>
    chat.state.ownTurns.has(id) || Date.parse(startedAt) > performance.timeOrigin;
  const look = () => {
    const { transcript } = chat.state;
    if (transcript === before) return;
    const events = conversationEvents(before, transcript, isNews);
    before = transcript;
    for (const [name, detail] of events) tellPage(host, name, detail);
    runTools();
  };

  /** Calls that wait for the page, also from before a reload. Of several tabs one runs each. */
  const runTools = () => {
    if (before.status !== 'idle') return;
    for (const part of before.turns.at(-1)?.parts ?? []) {
      const tool = part.kind === 'tool' && part.state === 'delegated' && page.tools.get(part.toolName);
      if (!tool || part.kind !== 'tool' || running.has(part.callId)) continue;
      const { callId, input } = part;
      running.add(callId);
      const run = async () => {
        const result = await Promise.resolve()
          .then(() => tool.run((input ?? {}) as Record<string, unknown>))
          .then(
            (output: unknown) => ({ callId, output: output ?? null }),
            (error: unknown) => ({ callId, error: String(error) || 'The tool failed.' }),
          );
        await chat.giveResult(result);
      };
      // Locks are missing on pages that are not served over HTTPS.
      const { locks } = navigator as Partial<Navigator>;
      if (locks) void locks.request(`${callId}:tool`, { ifAvailable: true }, async (lock) => lock && run());
      else void run();
    }
  };

  chat.subscribe(look);
  look();

  return {
    send: (text) => void chat.send(text),
    prefill: (text) => chat.draft.set({ text }),
    async identify(token) {
      const ask = () => (typeof token === 'function' ? token() : token);
      const first = Promise.resolve().then(ask);
      let asked = false;
      const next = () => {
        if (asked) return ask();
        asked = true;
        return first;
      };
      page.send = withVisitorToken({ baseUrl: '', key: '', platform }, next).fetch;
      const visitor = subjectOf(await first);
      const earlier = chat.saved.get('visitor');
      if (earlier && earlier !== visitor) chat.startNew();
      chat.saved.set('visitor', visitor);
    },
    logout() {
      chat.startNew();
      chat.saved.set('visitor', '');
      page.send = undefined;
    },
    runTools,
  };
}

/** Only told apart here; the service verifies. */
function subjectOf(token: string): string {
  const body = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  const { sub } = JSON.parse(atob(body)) as { sub?: unknown };
  return String(sub);
}
