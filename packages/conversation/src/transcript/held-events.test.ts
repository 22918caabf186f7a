import { expect, onTestFinished, test } from 'vitest';
import { createBrowser, createService, pass } from '../../testing/start-conversation.ts';
import { createConversation } from '../conversation.ts';

const turnCount = 700;
const events = Array.from({ length: turnCount }, (_, sequence) => {
  const turn = { turnId: `turn_${sequence}`, sequence };
  const step = { ...turn, stepIndex: 0 };
  return [
    { type: 'turn.started', data: turn },
    { type: 'message.received', data: { ...turn, message: `Hello ${sequence}` } },
    { type: 'step.started', data: step },
    {
      type: 'actions.requested',
      data: {
        ...step,
        actions: [{ kind: 'tool-call', callId: `call_${sequence}`, toolName: 'look', input: {} }],
      },
    },
    { type: 'message.completed', data: { ...step, message: 'Hi.', finishReason: 'stop' } },
    { type: 'step.completed', data: step },
    { type: 'turn.completed', data: turn },
  ];
}).flat();

/** A conversation of so many events, of which a view may not show the first tool yet. */
async function openHeld() {
  const { environment, storage } = createBrowser();
  storage.setItem('parley:http://service:pk', '{"sessionId":"s1","continuationToken":"t1"}');
  const service = createService();
  const shows = Promise.withResolvers<void>();
  const conversation = createConversation({
    baseUrl: 'http://service',
    key: 'pk',
    environment: { ...environment, fetch: service.fetch },
    showsAll: shows.promise,
  });
  onTestFinished(() => conversation.dispose());
  service.write(...events);
  const steps: number[] = [];
  let last = 0;
  conversation.transcript.subscribe(({ nextIndex }) => {
    if (nextIndex > last) steps.push(nextIndex - last);
    last = nextIndex;
  });
  await pass(1_000);
  return { conversation, steps, show: shows.resolve };
}

test('a long history that has waited for its view is applied in parts, all of it', async () => {
  const { conversation, steps, show } = await openHeld();
  expect(conversation.transcript.value.nextIndex).toBe(3);
  show();
  await conversation.loaded;
  await pass(1_000);
  expect(conversation.transcript.value.nextIndex).toBe(events.length);
  expect(conversation.transcript.value.turns).toHaveLength(turnCount);
  expect(Math.max(...steps)).toBeLessThanOrEqual(1_000);
});
