import type { StoredEvent } from '../../store/event-store.ts';
import type { SessionRecord } from '../../store/session-store.ts';
import type { Store } from '../../store/store.ts';
import { logPages } from '../../events/log-pages.ts';
import { maxTeamText } from '@parley/protocol/settings/inbox';

/** Every reading of a conversation that is held makes the summary: it costs no more however long that goes on. */
const maxEvents = 2_000;

/**
 * What was written since a conversation was taken over, at index `from` of its log, as the agent would be told: who wrote
 * what, the last of it.
 */
export async function handBackSummary(
  store: Pick<Store, 'readEvents'>,
  { id, nextIndex }: Pick<SessionRecord, 'id' | 'nextIndex'>,
  from: number,
): Promise<string | null> {
  const first = Math.max(from, nextIndex - maxEvents);
  let text = '';
  for await (const events of logPages(store, id, { from: first }))
    for (const event of events) {
      const line = written(event);
      if (line !== null) text = lastOf(`${text}${text === '' ? '' : '\n'}${line}`);
    }
  if (text === '') return null;
  return first > from ? lastOf(`…${text}`) : text;
}

function written({ event }: StoredEvent): string | null {
  if (event.type === 'message.received') return `Visitor: ${onOneLine(event.data.message)}`;
  if (event.type !== 'message.completed' || event.data.author?.kind !== 'team') return null;
  return `${event.data.author.name ?? 'Team'}: ${event.data.message ?? ''}`;
}

/** So that nobody can write a line in the name of somebody else. */
const onOneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();

function lastOf(text: string): string {
  return text.length <= maxTeamText ? text : `…${text.slice(1 - maxTeamText).toWellFormed()}`;
}
