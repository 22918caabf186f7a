import type { ConversationView } from '@parley/protocol/settings/conversation';
import { Component } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { linkTo } from '../router.ts';
import { RatingBadge, StatusBadge, visitorName } from './badges.tsx';
import { shortTime } from './short-time.ts';

interface ConversationListProps {
  readonly pages: readonly (readonly ConversationView[])[];
  readonly agents: readonly { readonly id: string; readonly name?: string }[];
  readonly now: Date;
  readonly isLoading: boolean;
  /** The last that was looked through had nothing: whoever wants more says so. */
  readonly isSparse: boolean;
  readonly more: (() => Promise<void>) | null;
}

/** All that was loaded. What is out of sight is not laid out, and a page that did not change is not drawn again. */
export function ConversationList({ pages, agents, now, isLoading, isSparse, more }: ConversationListProps) {
  return (
    <>
      {pages.some((page) => page.length > 0) && (
        <div class="conversations card">
          {pages.map((page, index) => (
            <Slice key={index} page={page} agents={agents} now={now} />
          ))}
        </div>
      )}
      {more && <More more={more} isLoading={isLoading} isSparse={isSparse} />}
    </>
  );
}

type SliceProps = Pick<ConversationListProps, 'agents' | 'now'> & {
  readonly page: readonly ConversationView[];
};

class Slice extends Component<SliceProps> {
  override shouldComponentUpdate({ page, agents }: Readonly<SliceProps>) {
    return page !== this.props.page || agents !== this.props.agents;
  }

  render({ page, agents, now }: SliceProps) {
    return (
      <ul class="slice">
        {page.map((each) => (
          <li key={each.id}>
            <Row conversation={each} now={now} agent={agents.find(({ id }) => id === each.agentId)?.name} />
          </li>
        ))}
      </ul>
    );
  }
}

interface RowProps {
  readonly conversation: ConversationView;
  readonly agent: string | undefined;
  readonly now: Date;
}

function Row({ conversation, agent, now }: RowProps) {
  const { id, firstMessage, turns, status, rating, activeAt } = conversation;
  return (
    <a class="conversation" href={linkTo('conversations', id)}>
      <span class="first-words" dir="auto">
        {firstMessage || 'No message yet'}
      </span>
      <span class="meta about">
        {[visitorName(conversation), agent, turns === 1 ? '1 turn' : `${turns} turns`]
          .filter(Boolean)
          .join(' · ')}
      </span>
      <span class="badges">
        <RatingBadge rating={rating} />
        <StatusBadge status={status} />
      </span>
      <time class="meta when" dateTime={activeAt}>
        {shortTime(new Date(activeAt), now)}
      </time>
    </a>
  );
}

/** What comes near the end of what is there loads what follows. */
const nearEnd = '600px';

interface MoreProps extends Pick<ConversationListProps, 'isLoading' | 'isSparse'> {
  readonly more: () => Promise<void>;
}

function More({ more, isLoading, isSparse }: MoreProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isLoading || isSparse || !button.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void more();
      },
      { rootMargin: nearEnd },
    );
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [more, isLoading, isSparse]);
  return (
    <button ref={button} type="button" class="button" disabled={isLoading} onClick={() => void more()}>
      {isLoading ? 'Looking further back…' : 'Look further back'}
    </button>
  );
}
