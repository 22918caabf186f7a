import type { ConversationView } from '@parley/protocol/settings/conversation';
import { Component, createRef } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { linkTo } from '../router.ts';
import { RatingBadge, StatusBadge, visitorName } from './badges.tsx';
import { shortTime } from './short-time.ts';
import { countOf } from '../ui/count-of.ts';

interface ConversationListProps {
  readonly pages: readonly (readonly ConversationView[])[];
  readonly agents: readonly { readonly id: string; readonly name?: string }[];
  readonly now: Date;
  readonly isLoading: boolean;
  /** The last that was looked through had nothing: whoever wants more says so. */
  readonly isSparse: boolean;
  readonly more: (() => Promise<void>) | null;
}

/** All that was loaded. What is out of sight is not drawn, and a page that did not change is not drawn again. */
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

/** So far beyond what is seen pages are drawn. */
const nearSight = '1000px 0px';

interface SliceState {
  /** The height that it has without its rows; null: they are drawn. */
  readonly room: number | null;
}

class Slice extends Component<SliceProps, SliceState> {
  override state: SliceState = { room: null };
  readonly #list = createRef<HTMLUListElement>();
  readonly #observer = new IntersectionObserver((entries) => this.#look(entries.at(-1)!), {
    rootMargin: nearSight,
  });

  override componentDidMount() {
    this.#observer.observe(this.#list.current!);
  }

  override shouldComponentUpdate({ page, agents }: Readonly<SliceProps>, { room }: Readonly<SliceState>) {
    return page !== this.props.page || agents !== this.props.agents || room !== this.state.room;
  }

  override componentWillUnmount() {
    this.#observer.disconnect();
  }

  #look({ isIntersecting, boundingClientRect: { height } }: IntersectionObserverEntry) {
    // Whoever is at a row by the keyboard stays there.
    const isUsed = this.#list.current?.contains(document.activeElement) ?? false;
    if (isIntersecting || isUsed) this.setState({ room: null });
    else if (this.state.room === null) this.setState({ room: height });
  }

  render({ page, agents, now }: SliceProps, { room }: SliceState) {
    return (
      <ul class="slice" ref={this.#list} style={room === null ? undefined : { height: `${room}px` }}>
        {room === null &&
          page.map((each) => (
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
  const { id, firstMessage, turns, status, rating, activeAt, match } = conversation;
  return (
    <a class="conversation" href={linkTo('conversations', id)}>
      <span class="first-words" dir="auto">
        {firstMessage || 'No message yet'}
      </span>
      <span class="meta about">
        {[visitorName(conversation), agent, countOf(turns, 'turn')].filter(Boolean).join(' · ')}
      </span>
      <span class="badges">
        <RatingBadge rating={rating} />
        <StatusBadge status={status} />
      </span>
      <time class="meta when" dateTime={activeAt}>
        {shortTime(new Date(activeAt), now)}
      </time>
      {match && (
        <span class="meta match" dir="auto">
          {match.before}
          <mark>{match.words}</mark>
          {match.after}
        </span>
      )}
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
