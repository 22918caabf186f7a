import type { ConversationView } from '@parley/protocol/settings/conversation';
import { useCallback } from 'preact/hooks';
import { linkTo } from '../router.ts';
import { countOf } from '../ui/count-of.ts';
import { More } from '../ui/more.tsx';
import { Slices } from '../ui/slices.tsx';
import { RatingBadge, StatusBadge, visitorName } from './badges.tsx';
import { shortTime } from './short-time.ts';

interface ConversationListProps {
  readonly pages: readonly (readonly ConversationView[])[];
  readonly agents: readonly { readonly id: string; readonly name?: string }[];
  readonly now: Date;
  readonly isLoading: boolean;
  /** The last that was looked through had nothing, or failed. */
  readonly waits: boolean;
  readonly more: (() => Promise<void>) | null;
}

export function ConversationList({ pages, agents, now, isLoading, waits, more }: ConversationListProps) {
  const row = useCallback(
    (each: ConversationView) => (
      <li key={each.id}>
        <Row conversation={each} now={now} agent={agents.find(({ id }) => id === each.agentId)?.name} />
      </li>
    ),
    [agents, now],
  );
  return (
    <>
      {pages.some((page) => page.length > 0) && <Slices pages={pages} row={row} />}
      {more && <More more={more} isLoading={isLoading} waits={waits} name="Look further back" />}
    </>
  );
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
