import type { StoredEvent } from '../../store/event-store.ts';
import type { Store } from '../../store/store.ts';
import { logPages } from '../../events/log-pages.ts';
import { maxTeamText } from '@parley/protocol/settings/inbox';

/** What was written since a conversation was taken over, as the agent would be told: who wrote what, the last of it. */
export async function handBackSummary(
  store: Pick<Store, 'readEvents'>,
  sessionId: string,
  from: number,
): Promise<string | null> {
  let text = '';
  for await (const events of logPages(store, sessionId, { from }))
    for (const event of events) {
      const line = written(event);
      if (line !== null) text = lastOf(`${text}${text === '' ? '' : '\n'}${line}`);
    }
  return text === '' ? null : text;
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
