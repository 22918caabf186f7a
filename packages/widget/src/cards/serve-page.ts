import { withVisitorToken } from '@parley/client/visitor-token';
import { emptyTranscript, type Transcript } from '@parley/client/transcript';
import type { ToolPart } from '@parley/client/turn';
import type { Chat } from '../chat/chat-model.ts';
import type { Page } from '../chat/page.ts';
import type { Panel } from '../launcher/widget-api.ts';
import { tellPage } from '../panel/tell-page.ts';
import { conversationEvents } from './conversation-events.ts';

/** How long a tab that has not asked leaves a tool to the one that has, in milliseconds. */
const patience = 1_000;

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
    const turn = before.turns.at(-1);
    for (const { callId, toolName } of delegated(before)) {
      if (!page.tools.has(toolName) || running.has(callId)) continue;
      running.add(callId);
      // Locks are missing on pages that are not served over HTTPS.
      const { locks } = navigator as Partial<Navigator>;
      const begin = () => (locks ? locks.request(`${callId}:tool`, () => run(callId)) : run(callId));
      // First the tab that the visitor has asked in.
      setTimeout(() => void begin(), turn && chat.state.ownTurns.has(turn.id) ? 0 : patience);
    }
  };

  /** Ends when the log shows the result: whoever looks then does not run the tool again. */
  const run = async (callId: string) => {
    const call = delegated(chat.latest()).find((each) => each.callId === callId);
    const tool = call && page.tools.get(call.toolName);
    if (!tool) return void running.delete(callId);
    const result = await Promise.resolve()
      .then(() => tool.run((call.input ?? {}) as Record<string, unknown>))
      .then(
        (output: unknown) => ({ callId, output: output ?? null }),
        (error: unknown) => ({ callId, error: String(error) || 'The tool failed.' }),
      );
    if (!(await chat.giveResult(result))) return;
    await new Promise<void>((shown) => {
      const end = chat.subscribe(check);
      function check() {
        if (delegated(chat.state.transcript).some((each) => each.callId === callId)) return;
        end();
        shown();
      }
      check();
    });
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
      const { fetch: send } = withVisitorToken({ baseUrl: '', key: '', platform }, next);
      page.send = send;
      page.visitor = subjectOf(await first);
      const earlier = chat.saved.get('visitor');
      if (earlier && earlier !== page.visitor) chat.forget(page.visitor);
      else chat.saved.set('visitor', page.visitor);
      // Another tab may have logged out in the meantime.
      page.send = send;
    },
    logout() {
      page.visitor = '';
      page.send = undefined;
      chat.forget('');
    },
    runTools,
  };
}

/** The calls of the page's tools that wait for a result. */
function delegated({ status, turns }: Transcript): ToolPart[] {
  const parts = status === 'idle' ? (turns.at(-1)?.parts ?? []) : [];
  return parts.filter((part): part is ToolPart => part.kind === 'tool' && part.state === 'delegated');
}

/** Only told apart here; the service verifies. */
function subjectOf(token: string): string {
  const body = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  const { sub } = JSON.parse(atob(body)) as { sub?: unknown };
  return String(sub);
}
