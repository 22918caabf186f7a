import { emptyTranscript, reduceTranscript, type Transcript } from '@parley/conversation/transcript';
import type { ConversationView, LoggedEvent, TurnView } from '@parley/protocol/settings/conversation';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call, type Page, revalidation } from '../api/call.ts';
import { turnIdOf } from './turn-steps.ts';

/** How often what is new is looked for, while the conversation goes on and is on a screen. */
const lookAgainMs = 4_000;
/** Pages of the log, of 200 events at most, that are read without being asked for more. */
const pagesAtOnce = 10;

export interface Thread {
  readonly conversation: ConversationView;
  readonly transcript: Transcript;
  /** Of each turn, by its id. */
  readonly events: ReadonlyMap<string, readonly LoggedEvent[]>;
  /** What each turn took, by its number. */
  readonly turns: ReadonlyMap<number, TurnView>;
  /** The log goes on. */
  readonly isMore: boolean;
}

/** A conversation as far as it was read; null until it is there. */
export function useThread(id: string) {
  const [thread, setThread] = useState<Thread | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const latest = useRef<Thread | null>(null);
  const isReading = useRef(false);

  const read = useCallback(async () => {
    if (isReading.current) return;
    isReading.current = true;
    try {
      latest.current = await readOn(id, latest.current);
      setThread(latest.current);
      setProblem(null);
    } catch (error) {
      setProblem(sentenceOf(error));
    } finally {
      isReading.current = false;
    }
  }, [id]);

  const round = revalidation.value;
  const isLive = round !== null && thread?.conversation.status !== 'ended' && !thread?.isMore;
  useEffect(() => {
    if (round !== null) void read();
  }, [read, round]);
  useEffect(() => {
    if (!isLive) return;
    const timer = setInterval(() => {
      if (!document.hidden) void read();
    }, lookAgainMs);
    return () => clearInterval(timer);
  }, [isLive, read]);

  return { thread, problem, read };
}

async function readOn(id: string, before: Thread | null): Promise<Thread> {
  const conversation = await call<ConversationView>('GET', `/conversations/${id}`);
  let transcript = before?.transcript ?? emptyTranscript;
  const events = new Map(before?.events);
  let isMore = true;
  let isChanged = before === null;
  for (let pages = 0; isMore && pages < pagesAtOnce; pages += 1) {
    const from = transcript.nextIndex;
    const page = await call<Page<LoggedEvent>>('GET', `/conversations/${id}/events?limit=200&cursor=${from}`);
    for (const logged of page.items) transcript = reduceTranscript(transcript, logged);
    for (const [turnId, added] of Map.groupBy(page.items, ({ event }) => turnIdOf(event)))
      if (turnId !== null) events.set(turnId, [...(events.get(turnId) ?? []), ...added]);
    isChanged ||= page.items.length > 0;
    isMore = page.next !== null;
  }
  const isSame = before && !isChanged && before.conversation.status === conversation.status;
  const turns = isSame ? before.turns : await readTurns(id);
  return { conversation, transcript, events, turns, isMore };
}

async function readTurns(id: string): Promise<ReadonlyMap<number, TurnView>> {
  const turns = new Map<number, TurnView>();
  let cursor: string | null = '';
  for (let pages = 0; cursor !== null && pages < pagesAtOnce; pages += 1) {
    const page: Page<TurnView> = await call(
      'GET',
      `/conversations/${id}/turns?limit=200${cursor && `&cursor=${cursor}`}`,
    );
    for (const turn of page.items) turns.set(turn.sequence, turn);
    cursor = page.next;
  }
  return turns;
}
