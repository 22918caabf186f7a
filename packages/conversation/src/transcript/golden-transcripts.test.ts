import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { SessionEvent } from '@parley/protocol/event';
import { describe, expect, test } from 'vitest';
import { reduce } from '../../testing/reduce.ts';
import type { Transcript } from './transcript.ts';

const folder = join(import.meta.dirname, '../../../protocol/fixtures');
const golden = new Map(
  globSync('*.ndjson', { cwd: folder }).map((file) => [basename(file, '.ndjson'), readEvents(file)]),
);

function readEvents(file: string): SessionEvent[] {
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as SessionEvent);
}

function withoutSoFar(event: SessionEvent): SessionEvent {
  if (!('data' in event)) return event;
  const {
    messageSoFar: _message,
    reasoningSoFar: _reasoning,
    ...data
  } = event.data as Record<string, unknown>;
  return { ...event, data } as SessionEvent;
}

/** The conversation as a reader of the page sees it. */
const linesOf = (transcript: Transcript) =>
  transcript.turns.flatMap((turn) => [
    ...(turn.user ? [`> ${turn.user.text}`] : []),
    ...turn.parts.map((part) => {
      if (part.kind === 'text') return part.text;
      if (part.kind === 'tool') return `${part.toolName}: ${part.state}`;
      if (part.kind === 'question') return `${part.prompt} ${part.state}`;
      if (part.kind === 'team-question') return `team: ${part.state}`;
      return part.kind;
    }),
    ...(turn.status === 'completed' ? [] : [turn.status]),
  ]);

describe.for([...golden])('%s', ([, events]) => {
  const whole = reduce(events);

  test('the cumulative texts are not needed', () => {
    expect(reduce(events.map(withoutSoFar))).toEqual(whole);
  });

  test('a stored transcript goes on from every index', () => {
    for (let index = 0; index <= events.length; index += 1) {
      const stored = JSON.parse(JSON.stringify(reduce(events.slice(0, index)))) as Transcript;
      expect(reduce(events.slice(index), stored)).toEqual(whole);
    }
  });

  test('nothing is left running', () => {
    const states = whole.turns.flatMap((turn) => [
      turn.status,
      ...turn.parts.map((part) => ('state' in part ? part.state : part.kind)),
    ]);
    expect(states).not.toContain('running');
    expect(states).not.toContain('streaming-input');
    expect(whole.status).not.toBe('working');
    const waiting = states.filter((state) => state === 'awaiting-approval' || state === 'open');
    expect(whole.requests).toHaveLength(waiting.length);
  });
});

test.for<[string, string[]]>([
  ['plain', ['> Hello', 'Hello, how can I help?', '> Thanks', 'You are welcome.']],
  ['approval-approved', ['> Refund order A-17', 'One moment.', 'refund: completed', 'Refunded 40.']],
  ['approval-of-two', ['> Refund order A-17', 'One moment.', 'refund: completed', 'Refunded 40.']],
  ['approval-delegated', ['> Refund order A-17', 'One moment.', 'refund: completed', 'Refunded 40.']],
  ['approval-amended', ['> Refund order A-17', 'One moment.', 'refund: completed', 'Refunded 25.']],
  ['approvals-partial', ['> Refund both', 'refund: completed', 'refund: rejected', 'Refunded A-17 only.']],
  [
    'held-text',
    [
      '> Refund order A-17',
      'One moment.',
      'refund: completed',
      '> How long does it take?',
      'Refunded.',
      'Two days.',
    ],
  ],
  [
    'ask-question',
    [
      '> Paint it',
      'Gladly.',
      'Which colour? answered',
      'Blue it is.',
      '> And the name?',
      'Which name? answered',
      '> Ada',
      'Hello, Ada.',
    ],
  ],
  ['delegated', ['> Show me the prices', 'One moment.', 'go_to: completed', 'Here they are.']],
  [
    'delegated-not-answered',
    ['> Show me the prices', 'One moment.', 'go_to: failed', '> Never mind', 'As you like.'],
  ],
  ['delegated-and-approval', ['> Refund and show me', 'refund: completed', 'go_to: completed', 'Both done.']],
  ['asked-team', ['> Do you ship to Norway?', 'Let me see.', 'team: answered', 'Yes, we do.']],
  ['input-expired', ['> Wait', 'Which colour? expired']],
  ['session-failed', ['> Bye', 'failed']],
])('%s reads as a conversation', ([name, lines]) => {
  expect(linesOf(reduce(golden.get(name) ?? []))).toEqual(lines);
});
