import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolState } from '@parley/client/turn';
import { emptyTranscript, reduceTranscript, type Transcript } from '@parley/client/transcript';
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

const ours = ({ turns }: Transcript) =>
  turns.map(({ id, parts }) => ({
    id,
    text: parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])),
    tools: parts.flatMap((part) =>
      part.kind === 'tool' ? [[part.callId, part.toolName, eveStates[part.state] ?? part.state]] : [],
    ),
  }));

const theirs = ({ messages }: EveMessageData, turnIds: readonly string[]) =>
  turnIds.map((id) => {
    const parts = messages.find((message) => message.id === `${id}:assistant`)?.parts ?? [];
    return {
      id,
      text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
      tools: parts.flatMap((part) =>
        part.type === 'dynamic-tool' && part.toolName !== 'ask_question'
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
  expect(ours(transcript)).toEqual(
    theirs(
      data,
      transcript.turns.map(({ id }) => id),
    ),
  );
});
