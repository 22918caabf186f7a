import type { ParleyError } from '@parley/client/error';
import { identifySession } from '@parley/client/identify-session';
import { withVisitorToken } from '@parley/client/visitor-token';
import { emptyTranscript, type Transcript } from '@parley/conversation/transcript/transcript';
import type { ActionResult } from '@parley/protocol/client-tool';
import type { ToolPart } from '@parley/conversation/transcript/turn';
import { loadAttachments } from '../attachments/load-attachments.ts';
import type { Chat } from '../chat/chat-model.ts';
import type { Page, PageContext } from '../chat/page.ts';
import type { Panel, VisitorToken } from '../launcher/widget-api.ts';
import { tellPage } from '../panel/tell-page.ts';
import { conversationEvents } from './conversation-events.ts';
import { insist } from './insist.ts';
import { isRefused, rememberRefused } from './refused-calls.ts';

/** How long a tab that has not asked leaves a tool to the one that has, in milliseconds. */
const patience = 1_000;
/** How much later than this one another tab may hear of a result. */
const longestLag = 30_000;

export type PageCalls = Pick<Panel, 'prefill' | 'logout'> & {
  /**
   * `called`: when the page did so. Resolves once it is known who is here, with what makes a conversation that was
   * nobody's theirs.
   */
  identify(token: VisitorToken, called: number): Promise<() => Promise<void>>;
  send(text: string, context: PageContext): void;
  /** Does what the agent has asked the page's tools for. */
  runTools(): void;
};

/** What the page may ask of a conversation and hears of it. */
export function servePage(host: Element, chat: Chat, page: Page, platform: string): PageCalls {
  let before = emptyTranscript;
  const running = new Set<string>();
  const look = () => {
    const { transcript } = chat.state;
    if (transcript === before) return;
    const events = conversationEvents(before, transcript, chat.isNews);
    before = transcript;
    for (const [name, detail] of events) tellPage(host, name, detail);
    runTools();
  };

  /** Calls that wait for the page, also from before a reload. Of several tabs one runs each. */
  const runTools = () => {
    const turn = before.turns.at(-1);
    for (const { callId, toolName } of delegated(before)) {
      if (!page.tools.get(toolName) || running.has(callId)) continue;
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
    const waiting = (transcript: Transcript) => delegated(transcript).find((each) => each.callId === callId);
    const call = waiting(chat.latest());
    const tool = call && page.tools.get(call.toolName);
    if (!tool) return void running.delete(callId);
    if (isRefused(chat.saved, callId)) return;
    const result = await Promise.resolve()
      .then(() => tool.run((call.input ?? {}) as Record<string, unknown>))
      .then(
        (output: unknown) => ({ callId, output: jsonOf(output) }),
        (error: unknown) => ({ callId, error: String(error) || 'The tool failed.' }),
      )
      .catch((error: unknown) => unusable(callId, error));
    const give = (given: ActionResult, idempotencyKey: string) =>
      insist(chat, (session) => chat.talk.respond(session, { actionResults: [given] }, { idempotencyKey }));
    const isGiven = await give(result, `result-of-call:${callId}`)
      .catch((error: unknown) => give(unusable(callId, error), `refused-result:${callId}`))
      // The call stays open in the log: it must not run once more after a reload, or in another tab.
      .catch(() => rememberRefused(chat.saved, callId));
    // False if nobody wants it (any more).
    if (!isGiven) return;
    await new Promise<void>((shown) => {
      const end = chat.subscribe(check);
      function check() {
        if (waiting(chat.state.transcript)) return;
        end();
        shown();
      }
      check();
    });
    // Another tab may hear of it later than this one, and must not look before.
    await new Promise((later) => setTimeout(later, longestLag));
  };

  chat.subscribe(look);
  look();
  const claim = async () => {
    if (!page.send) return;
    const known = await insist(chat, (session) => identifySession(chat.connection, session)).catch(
      (error: ParleyError) => {
        // It is gone, or somebody else's: the visitor is known all the same.
        if (error.code !== 'SESSION_NOT_FOUND') throw error;
      },
    );
    const { failure, link, session } = chat.state;
    // What nobody was refused, or is about to be, is theirs.
    if (known && (failure || link === 'connecting')) chat.follow(session);
  };

  /** Counts who is named as the visitor. */
  let latest = 0;

  return {
    send: (text, context) => void chat.send(text, [], context),
    prefill: (text) => chat.draft.prefill(text),
    async identify(token, called) {
      const mine = ++latest;
      const ask = async () => (typeof token === 'function' ? token() : token);
      /** What is written from now on is written by whomever the next token names. */
      let since = called;
      /** From now on the token's visitor is here. Whether somebody else was. */
      const admit = (given: string) => {
        const earlier = chat.saved.get('visitor');
        page.visitor = subjectOf(given);
        const other = earlier !== '' && earlier !== page.visitor;
        if (other) void startOver(chat, page.visitor, since, () => mine === latest);
        else chat.saved.set('visitor', page.visitor);
        since = Infinity;
        return other;
      };
      const first = ask();
      let asked = false;
      const { fetch: send } = withVisitorToken({ baseUrl: '', key: '', platform }, async () => {
        if (!asked) {
          asked = true;
          return first;
        }
        since = Math.min(since, Date.now());
        const given = await ask();
        // What waits for this token was written by somebody who has left.
        if (page.send !== send || admit(given)) throw new Error('Another visitor has come.');
        return given;
      });
      page.send = send;
      const given = await first;
      // Somebody else has been named since, or nobody; or the widget is gone.
      if (mine !== latest || !host.isConnected) return claim;
      admit(given);
      // Another tab may have logged out in the meantime.
      page.send = send;
      return claim;
    },
    logout() {
      latest++;
      page.visitor = '';
      page.send = undefined;
      // The panel has forgotten all else at once; what has been written since is nobody's.
      chat.saved.set('visitor', '');
    },
    runTools,
  };
}

/** Leaves nothing of who was here before; what was written on this page since the new visitor was named is the new one's. */
async function startOver(chat: Chat, visitor: string, since: number, isHere: () => boolean): Promise<void> {
  const own = chat.state.outbox
    .filter(({ at, restored }) => !restored && at >= since)
    .map((message) => ({
      ...message,
      files: message.parts && loadAttachments().then(({ keptFiles }) => keptFiles(message)),
    }));
  chat.forget(visitor);
  for (const { text, parts, files, options } of own) {
    // What a form was filled in with before the first message was the earlier visitor's.
    const context = options?.clientContext
      ? { ...(options.clientContext as object), visitor: undefined }
      : null;
    const kept = await files;
    // With files, the text names them.
    const typed = kept ? parts!.map((part) => (part.type === 'text' ? part.text : '')).join('') : text;
    if (isHere()) chat.send(typed, kept ?? [], context);
  }
}

/** The value as it goes over the wire. Throws for what JSON cannot hold. */
const jsonOf = (output: unknown): unknown => JSON.parse(JSON.stringify(output) ?? 'null');

/** The result of a function that ran and returned what cannot be sent, or was refused. */
function unusable(callId: string, error: unknown): ActionResult {
  console.error('[parley] The result of a tool of this page cannot be used.', error);
  return {
    callId,
    error: `The function ran, but its result cannot be used: ${String(error)}`.slice(0, 1_000),
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
