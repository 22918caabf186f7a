import { emptyTranscript, reduceTranscript, type Transcript } from '@parley/conversation/transcript';
import type { SessionEvent } from '@parley/protocol/event';
import type { ConversationView } from '@parley/protocol/settings/conversation';
import type { ThreadView } from '@parley/protocol/settings/inbox';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call, sessionEnded } from '../api/call.ts';
import { useAsking } from '../ui/use-asking.ts';
import { followLines } from './follow-lines.ts';
import { whileSeen } from './while-seen.ts';

/** What changes who answers, or what the team knows of it. */
const ofTeam =
  /^(team\.|input\.|approval\.|action\.amended|message\.received|message\.completed|session\.completed|session\.failed)/;

export interface InboxThread {
  readonly conversation: ConversationView;
  readonly thread: ThreadView;
  readonly transcript: Transcript;
}

/** A conversation as it goes on: its events come as they are appended, and by themselves again after a break. */
export function useInboxThread(id: string) {
  const [transcript, setTranscript] = useState<Transcript>(emptyTranscript);
  const [about, setAbout] = useState<Omit<InboxThread, 'transcript'> | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const read = useRef<Transcript>(emptyTranscript);

  const ask = useAsking();
  const load = useCallback(async () => {
    const isNews = ask();
    try {
      const [conversation, thread] = await Promise.all([
        call<ConversationView>('GET', `/conversations/${id}`),
        call<ThreadView>('GET', `/conversations/${id}/thread`),
      ]);
      if (!isNews()) return;
      setAbout({ conversation, thread });
      setProblem(null);
    } catch (error) {
      if (isNews()) setProblem(sentenceOf(error));
    }
  }, [id, ask]);

  const ended = sessionEnded.value;
  useEffect(() => {
    if (ended) return;
    let frame = 0;
    let isTeamChanged = false;
    const show = () => {
      frame = 0;
      setTranscript(read.current);
      if (isTeamChanged) void load();
      isTeamChanged = false;
    };
    const take = (line: string) => {
      // What the service sends, it has checked.
      const event = JSON.parse(line) as SessionEvent;
      read.current = reduceTranscript(read.current, { index: read.current.nextIndex, event });
      isTeamChanged ||= ofTeam.test(event.type);
      frame ||= window.setTimeout(show, 16);
    };
    const address = () => `/conversations/${id}/stream?startIndex=${read.current.nextIndex}`;
    const leave = whileSeen((ending) => {
      void load();
      void followLines(address, { take }, ending);
    });
    return () => {
      leave();
      clearTimeout(frame);
    };
  }, [id, ended, load]);

  return { thread: about && { ...about, transcript }, problem, reload: load };
}
