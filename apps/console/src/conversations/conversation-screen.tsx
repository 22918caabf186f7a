import { settingsPath } from '@parley/protocol/paths';
import type { ConversationView } from '@parley/protocol/settings/conversation';
import { useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { deleteIfThere } from '../api/call.ts';
import { isAtLeast, tenantOf } from '../api/member.ts';
import { ContactLink } from '../contacts/contact-link.tsx';
import { go, linkTo } from '../router.ts';
import { announce } from '../ui/announcement.tsx';
import { confirm } from '../ui/confirm.tsx';
import { Failed } from '../ui/failed.tsx';
import { Loading, Problem } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { useAgents } from '../ui/use-agents.ts';
import { RatingBadge, StatusBadge } from './badges.tsx';
import { ThreadTurn } from './thread-turn.tsx';
import { type Thread, useThread } from './use-thread.ts';

/** Characters of a conversation's first words that it is called by. */
const titleLength = 60;

/** A conversation as it was said, and beside each turn what happened in it. */
export function ConversationScreen({ id }: { readonly id: string }) {
  const { thread, problem, read } = useThread(id);
  const [failure, setFailure] = useState<string | null>(null);
  if (thread === null)
    return problem ? (
      <Failed trail={[{ name: 'Conversations', href: linkTo('conversations') }]}>{problem}</Failed>
    ) : (
      <Loading />
    );
  const { conversation } = thread;
  const remove = async () => {
    const text =
      'Everything that was said in it goes, files too, also for the visitor. Nothing brings it back.';
    if (!(await confirm({ title: 'Delete this conversation?', text, action: 'Delete conversation' }))) return;
    try {
      await deleteIfThere(`/conversations/${id}`);
      announce('The conversation was deleted.');
      go('conversations');
    } catch (error) {
      setFailure(sentenceOf(error));
    }
  };
  return (
    <Page
      title={titleOf(conversation)}
      trail={[{ name: 'Conversations', href: linkTo('conversations') }]}
      action={
        <div class="actions">
          <Export id={id} format="text" name="Export text" />
          <Export id={id} format="json" name="Export JSON" />
          {isAtLeast('admin') && (
            <button type="button" class="button danger-quiet" onClick={() => void remove()}>
              Delete
            </button>
          )}
        </div>
      }
    >
      {(failure ?? problem) && <Problem>{failure ?? problem}</Problem>}
      <Facts conversation={conversation} />
      <Turns thread={thread} />
      {thread.isMore && (
        <button type="button" class="button" onClick={() => void read()}>
          Show what follows
        </button>
      )}
    </Page>
  );
}

const titleOf = ({ firstMessage }: ConversationView): string => {
  const words = firstMessage?.replaceAll(/\s+/g, ' ').trim() || 'Conversation';
  return words.length <= titleLength ? words : `${words.slice(0, titleLength).toWellFormed()}…`;
};

const Export = ({ id, format, name }: Record<'id' | 'format' | 'name', string>) => (
  <a class="button" href={`${settingsPath}/conversations/${id}/transcript?format=${format}`} download>
    {name}
  </a>
);

function Facts({ conversation }: { readonly conversation: ConversationView }) {
  const { tenantId, agentId, status, rating, visitor, createdAt, activeAt } = conversation;
  const agent = useAgents(tenantId).find(({ id }) => id === agentId)?.name ?? agentId;
  return (
    <dl class="facts card">
      <div>
        <dt>Visitor</dt>
        <dd>
          <ContactLink conversation={conversation} />
          {visitor !== null && <span class="badge live">Verified</span>}
        </dd>
      </div>
      <div>
        <dt>Agent</dt>
        <dd>
          <a href={linkTo('agents', agentId)}>{agent}</a>
        </dd>
      </div>
      <div>
        <dt>Status</dt>
        <dd>
          <StatusBadge status={status} /> <RatingBadge rating={rating} />
        </dd>
      </div>
      <div>
        <dt>Began</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
      </div>
      <div>
        <dt>Last activity</dt>
        <dd>
          <Time at={activeAt} />
        </dd>
      </div>
    </dl>
  );
}

function Turns({ thread: { conversation, transcript, events, turns } }: { readonly thread: Thread }) {
  const currency = tenantOf(conversation.tenantId)?.prices?.currency ?? null;
  if (transcript.turns.length === 0) return <p class="notice">Nothing was said yet.</p>;
  return (
    <ol class="thread">
      {transcript.turns.map((turn, index) => (
        <ThreadTurn
          key={turn.id}
          turn={turn}
          number={index + 1}
          agentName={transcript.agentName}
          events={events.get(turn.id) ?? []}
          facts={turns.get(turn.sequence)}
          currency={currency}
        />
      ))}
    </ol>
  );
}
