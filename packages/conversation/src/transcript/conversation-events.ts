import type { ConversationCore } from '../conversation-core.ts';
import type { ConversationEvent } from './conversation-event.ts';
import { isForTeam } from './is-for-team.ts';
import { emptyTranscript, type Transcript } from './transcript.ts';
import type { Turn } from './turn.ts';

/**
 * What a page is told about the step from one transcript to a later one. A turn that is not news (it was there before
 * the page, or is another tab's) tells nothing; what waits for the visitor always does.
 */
export function conversationEvents(
  before: Transcript,
  after: Transcript,
  isNews: (turn: Turn) => boolean,
): ConversationEvent[] {
  const events: ConversationEvent[] = [];
  const earlier = new Map(before.turns.map((turn) => [turn.id, turn]));
  for (const turn of after.turns) {
    const known = earlier.get(turn.id);
    if (known === turn || !isNews(turn)) continue;
    if (turn.user && !known?.user)
      events.push(['message', { role: 'visitor', text: turn.user.text, turnId: turn.id }]);
    if (turn.status !== 'completed' || known?.status === 'completed') continue;
    const text = turn.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
    if (text) events.push(['message', { role: 'agent', text, turnId: turn.id }]);
  }
  const asked = new Set(before.requests.map(({ requestId }) => requestId));
  for (const request of after.requests) {
    const { requestId, prompt, action, kind } = request;
    if (asked.has(requestId) || isForTeam(request)) continue;
    events.push(
      kind === 'tool-approval'
        ? ['approval', { requestId, toolName: action.toolName }]
        : ['question', { requestId, prompt }],
    );
  }
  return events;
}

/** The messages that this page was told of: a conversation may be read again, or be begun anew by a page that shows it again. */
const toldMessages = new Set<string>();
/** Some hundred bytes each: those of the longest conversations of a day. */
const maxTold = 10_000;

/** Tells all of them, from the conversation as it is found here on, and each message once. */
export function tellEvents({ state, storage, isNews, tell, signal }: ConversationCore): void {
  let before = emptyTranscript;
  const toldRequests = new Set<string>();
  const isFirst = ([name, detail]: ConversationEvent) => {
    const [told, what] =
      name === 'message'
        ? [toldMessages, `${storage.name} ${state.session.value?.sessionId} ${detail.turnId} ${detail.role}`]
        : [toldRequests, detail.requestId];
    const isNew = !told.has(what);
    told.add(what);
    if (told.size > maxTold) told.delete(told.keys().next().value!);
    return isNew;
  };
  const end = state.transcript.subscribe((transcript) => {
    const events = conversationEvents(before, transcript, isNews);
    before = transcript;
    for (const event of events) if (isFirst(event)) tell(event);
  });
  signal.addEventListener('abort', end);
}
