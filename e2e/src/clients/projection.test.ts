import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolState } from '@parley/conversation';
import { type Transcript, emptyTranscript, reduceTranscript } from '@parley/conversation/transcript';
import type { SessionEvent } from '@parley/protocol/event';
import { defaultMessageReducer, type EveMessageData, type MessageStreamEvent } from 'eve/client';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../../packages/protocol/fixtures');

const eveStates: Partial<Record<ToolState, string>> = {
  'awaiting-approval': 'approval-requested',
  completed: 'output-available',
  failed: 'output-error',
  rejected: 'output-denied',
};

/** The calls given to the page. Eve meets them in the turn of their result: what gave them away is no event of its. */
const delegatedIn = (events: readonly SessionEvent[]) =>
  new Set(events.flatMap((event) => (event.type === 'action.delegated' ? [event.data.callId] : [])));

/** What is asked of a call in other turns than its own: eve draws the call there once more, we where it was called. */
const askedAgainIn = (events: readonly SessionEvent[]): Set<string> => {
  const calledIn = new Map<string, string>();
  const again = new Set<string>();
  for (const event of events) {
    if (event.type === 'actions.requested')
      for (const { callId } of event.data.actions) calledIn.set(callId, event.data.turnId);
    if (event.type !== 'input.requested') continue;
    const { turnId, requests } = event.data;
    for (const { action } of requests)
      if (calledIn.get(action.callId) !== turnId) again.add(`${turnId} ${action.callId}`);
  }
  return again;
};

const ours = ({ turns }: Transcript, delegated: ReadonlySet<string>) =>
  turns.map(({ id, parts }) => ({
    id,
    text: parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])),
    tools: parts.flatMap((part) =>
      part.kind === 'tool' && !delegated.has(part.callId)
        ? [[part.callId, part.toolName, eveStates[part.state] ?? part.state]]
        : [],
    ),
  }));

const theirs = (
  { messages }: EveMessageData,
  turnIds: readonly string[],
  delegated: ReadonlySet<string>,
  askedAgain: ReadonlySet<string>,
) =>
  turnIds.map((id) => {
    const parts = messages.find((message) => message.id === `${id}:assistant`)?.parts ?? [];
    return {
      id,
      text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
      tools: parts.flatMap((part) =>
        part.type === 'dynamic-tool' &&
        part.toolName !== 'ask_question' &&
        !delegated.has(part.toolCallId) &&
        !askedAgain.has(`${id} ${part.toolCallId}`)
          ? [[part.toolCallId, part.toolName, part.state]]
          : [],
      ),
    };
  });

test.for(globSync('*.ndjson', { cwd: folder }))('%s: our projection and the one of eve agree', (file) => {
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  const events = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as SessionEvent);
  const transcript = events
    .map((event, index) => ({ index, event }))
    .reduce(reduceTranscript, emptyTranscript);
  const reducer = defaultMessageReducer();
  const data = events.reduce(
    (state, event) => reducer.reduce(state, event as MessageStreamEvent),
    reducer.initial(),
  );
  const delegated = delegatedIn(events);
  const turnIds = transcript.turns.map(({ id }) => id);
  expect(ours(transcript, delegated)).toEqual(theirs(data, turnIds, delegated, askedAgainIn(events)));
});
