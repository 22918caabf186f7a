import type { Transcript } from '@parley/conversation/transcript/transcript';
import type { Turn } from '@parley/conversation/transcript/turn';
import type { WidgetEvents } from '../launcher/widget-api.ts';

export type ConversationEvent = {
  [Name in 'message' | 'approval' | 'question']: readonly [Name, WidgetEvents[Name]];
}['message' | 'approval' | 'question'];

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
  for (const { requestId, prompt, action, kind } of after.requests) {
    if (asked.has(requestId)) continue;
    events.push(
      kind === 'tool-approval'
        ? ['approval', { requestId, toolName: action.toolName }]
        : ['question', { requestId, prompt }],
    );
  }
  return events;
}
