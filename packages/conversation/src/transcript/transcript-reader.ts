import type { Connection } from '@parley/client/connection';
import { ParleyError } from '@parley/client/error';
import type { IndexedEvent } from '@parley/client/follow';
import { cancelStream, type OpenStream } from '@parley/client/open-stream';
import { batch } from '@preact/signals-core';
import { assign, type ConversationState, nothingRead } from '../conversation-state.ts';
import type { Clock } from '@parley/client/clock';
import type { Environment } from '../environment.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Session } from '../storage/conversation-storage.ts';
import type { shareSession } from '../tabs/share-session.ts';
import { readSession } from './read-session.ts';
import type { reduceRest } from './reduce-rest.ts';
import { reduceTurns } from './reduce-turns.ts';

/** What it takes to read more than texts. */
type Completing = { reduceRest: typeof reduceRest };
/** What it takes to read in one tab for all. */
type Sharing = { shareSession: typeof shareSession };

type Deps = {
  state: ConversationState;
  outbox: () => Outbox;
  connection: Connection;
  clock: Clock;
  environment: Environment;
  /** Tells this conversation's tabs apart from those of others. */
  name: string;
  report: (error: ParleyError) => void;
  onReconnect: () => void;
};

/** What is understood before the rest is there; only the name of the agent is passed over. */
const plain = /^(session\.(started|waiting)|turn\.(started|completed)|(step|message|reasoning)\..*)$/;

/** So many events are applied at once: those that have waited must not become one long task. */
const page = 1_000;

/** Reads the session's events into its transcript. They wait for the code that knows what to make of them. */
export function createTranscriptReader(deps: Deps) {
  const { state, connection, clock, environment, name, report } = deps;
  let completing: Completing | null = null;
  let sharing: Sharing | null = null;
  let pendingEvents: IndexedEvent[] = [];
  /** Whether more of them can be applied. */
  let more = false;
  let following = new AbortController();
  let stream: ReturnType<typeof readSession> | null = null;
  /** What the first message was answered with, until it is read. */
  let unread: OpenStream | null = null;

  const applyEvents = (events: IndexedEvent[]) => {
    let {
      transcript: { value: transcript },
      ownTurns: { value: ownTurns },
      leading: { value: leading },
    } = state;
    let outbox = state.outbox.value;
    pendingEvents = [...pendingEvents, ...events];
    let taken = 0;
    const isKnown = (each: IndexedEvent | undefined) => each && (completing || plain.test(each.event?.type));
    for (; taken < page && isKnown(pendingEvents[taken]); taken++) {
      const { index, event } = pendingEvents[taken]!;
      if (index < transcript.nextIndex) continue;
      try {
        transcript = {
          ...reduceTurns(transcript, event, completing ? completing.reduceRest : (known) => known),
          nextIndex: index + 1,
        };
      } catch (cause) {
        // Without it the conversation goes on; with it there would be none.
        transcript = { ...transcript, nextIndex: index + 1 };
        report(new ParleyError('PROTOCOL', `Event ${index} cannot be shown.`, { cause }));
        continue;
      }
      if (event.type !== 'message.received') continue;
      const { message, turnId, clientMessageId } = event.data;
      // An earlier version sent without an id what it left here.
      const sent = outbox.findIndex(({ id, text, after, restored }) =>
        clientMessageId ? id === clientMessageId : restored && text === message && index >= after,
      );
      if (sent === -1) continue;
      const { queued, restored } = outbox[sent]!;
      if (!queued && !restored) leading = turnId;
      outbox = outbox.toSpliced(sent, 1);
      ownTurns = new Set(ownTurns).add(turnId);
    }
    pendingEvents = pendingEvents.slice(taken);
    more = Boolean(isKnown(pendingEvents[0]));
    if (more) clock.after(0, () => more && applyEvents([]));
    show(outbox, { transcript, ownTurns, leading });
  };
  const applyAll = () => {
    while (more) applyEvents([]);
  };
  const show = (outbox: typeof state.outbox.value, changed: Parameters<typeof assign>[1]) =>
    batch(() => {
      if (outbox !== state.outbox.value) deps.outbox().set(outbox);
      assign(state, changed);
    });

  const share = () => {
    const session = state.session.value;
    if (!sharing || !session || !stream) return;
    sharing.shareSession(`${name}:${session.sessionId}`, stream, state, following.signal, clock, environment);
  };
  const read = (session: Session) => {
    const reader = {
      transcript() {
        applyAll();
        return state.transcript.value;
      },
      applyEvents,
      show,
      connection(connected: boolean) {
        const isBack = connected && state.connectionStatus.value === 'lost';
        assign(state, {
          connectionStatus: connected ? 'live' : 'lost',
          ...(connected && { failure: null }),
        });
        if (isBack) deps.onReconnect();
      },
      end: (failure: ParleyError | null) =>
        assign(state, { connectionStatus: 'none', ...(failure && { failure }) }),
    };
    stream = readSession(
      connection,
      { ...session, stream: unread },
      reader,
      following.signal,
      clock,
      environment,
    );
    unread = null;
    share();
  };

  return {
    /** From its beginning; nothing of another one stays. */
    follow: (session: Session | null, opened: OpenStream | null = null): void => {
      following.abort();
      cancelStream(unread);
      unread = opened;
      following = new AbortController();
      stream = null;
      pendingEvents = [];
      more = false;
      assign(state, { ...nothingRead, session, connectionStatus: session ? 'connecting' : 'none' });
      if (session) read(session);
    },
    /** How many events have arrived that are not in the transcript yet. */
    pendingCount: () => pendingEvents.length,
    /** Shows what has arrived without waiting for the next frame. */
    flush(): void {
      stream?.incoming.flush();
      applyAll();
    },
    complete(loaded: Completing) {
      completing = loaded;
      applyEvents([]);
    },
    /** From now on one tab reads for all. */
    share(loaded: Sharing) {
      sharing = loaded;
      share();
    },
  };
}
