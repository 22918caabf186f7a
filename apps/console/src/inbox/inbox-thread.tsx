import type { Transcript, Turn } from '@parley/conversation';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { member } from '../api/member.ts';
import { ContactLink } from '../contacts/contact-link.tsx';
import { SaidAt } from '../conversations/said-at.tsx';
import { SentFile } from '../conversations/sent-file.tsx';
import { TurnPartView } from '../conversations/turn-part.tsx';
import { linkTo } from '../router.ts';
import { Loading, Problem } from '../ui/notice.tsx';
import { ApprovalRequests } from './approval-requests.tsx';
import { Compose } from './compose.tsx';
import { Notes } from './notes.tsx';
import { TeamQuestion } from './team-question.tsx';
import { ThreadActions } from './thread-actions.tsx';
import type { Told } from './use-inbox-list.ts';
import { useInboxThread } from './use-inbox-thread.ts';
import { namesOf, type Present } from './use-presence.ts';

interface InboxThreadProps {
  readonly id: string;
  /** Where the list is. */
  readonly back: string;
  readonly mayWrite: boolean;
  /** What the list was told of it last; null: it was told nothing. */
  readonly told: Told | null;
  /** Who else looks at it. */
  readonly present: readonly Present[];
}

/** So near the end of what was said somebody reads what comes, and not what was before. */
const atEnd = 40;

/** One conversation as it goes on, and what a member does in it. */
export function InboxThread({ id, back, mayWrite, told, present }: InboxThreadProps) {
  const { thread: known, problem, reload } = useInboxThread(id);
  const [failure, setFailure] = useState<string | null>(null);
  const log = useRef<HTMLOListElement>(null);
  const isReadBack = useRef(false);
  const turns = known?.transcript.turns;
  const about = known?.thread;
  const isKnown = about !== undefined;
  // By an effect of the layout, so that no scrolling is heard of between what has come and this.
  useLayoutEffect(() => {
    if (!isReadBack.current) log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [turns, about]);
  // Of notes, and of who looks after it, the log of the conversation says nothing.
  useEffect(() => {
    if (!told || !about) return;
    const { item } = told;
    if (item?.notes !== about.notes.length || item.assignee?.id !== about.assignee?.id) void reload();
    // Not with every answer: the list may be told of what a member does after the conversation was read again.
  }, [told, isKnown]);
  if (known === null) return problem ? <Problem>{problem}</Problem> : <Loading />;
  const { conversation, thread, transcript } = known;
  const { notes } = thread;
  return (
    <section class="inbox-thread card" aria-label="Conversation">
      <header class="inbox-head">
        <a class="inbox-back" href={back}>
          Back to the list
        </a>
        <div class="who-writes">
          <h2>
            <ContactLink conversation={conversation} />
          </h2>
          <p class="meta">
            <a href={linkTo('conversations', id)}>Details</a> · {standing(known)}
          </p>
          <p class="meta here" role="status">
            {present.length > 0 && `${namesOf(present)} ${present.length === 1 ? 'is' : 'are'} here, too.`}
          </p>
        </div>
        {mayWrite && conversation.status !== 'ended' && (
          <ThreadActions
            id={id}
            tenantId={conversation.tenantId}
            thread={thread}
            reload={reload}
            onFailure={setFailure}
          />
        )}
      </header>
      {(failure ?? problem) && <Problem>{failure ?? problem}</Problem>}
      <ol
        class="inbox-log"
        ref={log}
        tabIndex={0}
        aria-label="What was said"
        // Whoever answers hears what the visitor writes; an agent's answer comes word by word.
        aria-live={thread.holder?.id === member.value?.id ? 'polite' : 'off'}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          isReadBack.current = scrollHeight - scrollTop - clientHeight > atEnd;
        }}
      >
        {transcript.turns.map((turn, index) => (
          <Said
            key={turn.id}
            turn={turn}
            agentName={transcript.agentName}
            marks={transcript.marks}
            place={index}
          />
        ))}
        <Marks marks={transcript.marks} place={transcript.turns.length} />
      </ol>
      <ApprovalRequests
        id={id}
        approvals={thread.approvals}
        mayAnswer={mayWrite}
        reload={reload}
        onFailure={setFailure}
      />
      {thread.questions.map((question) => (
        <TeamQuestion
          key={question.requestId}
          id={id}
          question={question}
          mayAnswer={mayWrite}
          reload={reload}
          onFailure={setFailure}
        />
      ))}
      {notes.length > 0 && (
        <Notes id={id} notes={notes} mayWrite={mayWrite} reload={reload} onFailure={setFailure} />
      )}
      {mayWrite && (
        <Compose
          key={id}
          id={id}
          tenantId={conversation.tenantId}
          thread={thread}
          isEnded={conversation.status === 'ended'}
          reload={reload}
          onFailure={setFailure}
        />
      )}
    </section>
  );
}

function standing({
  conversation,
  thread,
}: NonNullable<ReturnType<typeof useInboxThread>['thread']>): string {
  if (conversation.status === 'ended') return 'The conversation has ended.';
  const { holder, assignee, waitingSince } = thread;
  if (!holder && waitingSince !== null) return 'The agent waits for the team.';
  if (holder)
    return waitingSince === null ? `${holder.name} answers.` : `${holder.name} answers. The visitor waits.`;
  return assignee ? `The agent answers. ${assignee.name} looks after it.` : 'The agent answers.';
}

type Mark = Transcript['marks'][number];

interface SaidProps {
  readonly turn: Turn;
  readonly agentName: string | undefined;
  readonly marks: readonly Mark[];
  readonly place: number;
}

function Said({ turn, agentName = 'Agent', marks, place }: SaidProps) {
  const { user, parts, status, author, error, startedAt } = turn;
  return (
    <>
      <Marks marks={marks} place={place} />
      <li class="said">
        {user && (
          <div class="bubble" dir="auto">
            <span class="hidden">Visitor: </span>
            {user.text}
            {user.parts
              .filter((part) => part.type === 'file')
              .map((file, index) => (
                <SentFile key={index} {...file} />
              ))}
          </div>
        )}
        {parts.length > 0 && (
          <div class="reply" data-team={author?.kind === 'team' || undefined}>
            <p class="meta">
              {author?.kind === 'team' ? author.name : agentName} · <SaidAt at={startedAt} />
            </p>
            {parts.map((part, index) => (
              <TurnPartView key={index} part={part} />
            ))}
          </div>
        )}
        {status === 'failed' && <p class="meta error">{error?.message ?? 'There was no answer.'}</p>}
        {status === 'cancelled' && <p class="meta">The answer was stopped.</p>}
        {status === 'running' && <p class="meta">The agent is answering…</p>}
      </li>
    </>
  );
}

const words: Partial<Record<Mark['kind'], string>> = {
  person: 'A person took over',
  assistant: 'The agent answers again',
  cleared: 'The agent’s memory was cleared',
};

function Marks({ marks, place }: Pick<SaidProps, 'marks' | 'place'>) {
  return (
    <>
      {marks
        .filter(({ turnsBefore, kind }) => turnsBefore === place && words[kind])
        .map(({ kind, at }) => (
          <li key={kind + at} class="inbox-mark meta">
            {words[kind]} · <SaidAt at={at} />
          </li>
        ))}
    </>
  );
}
