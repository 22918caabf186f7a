import { expect, test } from 'vitest';
import { createService, pass, startConversation, createBrowser } from '../../testing/start-conversation.ts';

const now = Date.parse('2026-11-20T16:00:00Z');
const turn = (sequence: number) => ({ sequence, turnId: `turn_${sequence}` });

function exchange(sequence: number, text: string, at: number) {
  const meta = { at: new Date(at).toISOString() };
  return [
    { type: 'turn.started', data: turn(sequence), meta },
    { type: 'message.received', data: { ...turn(sequence), message: text, parts: [] }, meta },
    {
      type: 'message.completed',
      data: { ...turn(sequence), stepIndex: 0, message: `Heard: ${text}`, finishReason: 'stop' },
      meta,
    },
    { type: 'turn.completed', data: turn(sequence), meta },
    { type: 'session.waiting', data: { wait: 'next-user-message', continuationToken: 't1' }, meta },
  ];
}

/** A page whose visitor's clock is wrong by so much, in a conversation that it finds there. */
async function startSkewed(skew: number) {
  const browser = createBrowser(now + skew);
  const service = createService();
  service.date = () => Date.now() - skew;
  const { conversation, told } = await startConversation(service, browser);
  const messages = () => told.flatMap(([name, detail]) => (name === 'message' ? detail.text : []));
  await pass(1_000);
  service.write(...exchange(1, 'before', now - 60_000));
  // A page is told of each conversation once.
  conversation.open({ sessionId: `s${skew}`, continuationToken: 't1' });
  await pass(1_000);
  return { conversation, service, messages };
}

test.for([0, -600_000, 600_000])(
  'with a clock that is %i ms wrong the past is no news, and what comes is',
  async (skew) => {
    const { service, messages } = await startSkewed(skew);
    expect(messages()).toEqual([]);
    service.write(...exchange(2, 'after', now + 10_000));
    await pass(1_000);
    expect(messages()).toEqual(['after', 'Heard: after']);
  },
);

test.for([0, -40_000, 40_000])(
  'with a clock that is %i ms wrong work begins when it begins',
  async (skew) => {
    const { conversation, service } = await startSkewed(skew);
    service.write({
      type: 'turn.started',
      data: turn(2),
      meta: { at: new Date(Date.now() - skew).toISOString() },
    });
    await pass(1_000);
    const elapsed =
      Date.now() - conversation.clock.localTime(conversation.transcript.value.turns.at(-1)!.startedAt);
    expect(elapsed).toBeGreaterThanOrEqual(0);
    expect(elapsed).toBeLessThan(3_000);
  },
);

test('a message is told once, however often the conversation is read again or begun anew on the page', async () => {
  const browser = createBrowser(now);
  const service = createService();
  const { conversation, told } = await startConversation(service, browser);
  const session = { sessionId: 'told', continuationToken: 't1' };
  const texts = (events: typeof told) =>
    events.flatMap(([name, detail]) => (name === 'message' ? detail.text : []));
  conversation.open(session);
  service.write(...exchange(1, 'once', now + 10_000));
  await pass(1_000);
  expect(texts(told)).toEqual(['once', 'Heard: once']);
  conversation.reload();
  await pass(1_000);
  conversation.startNew();
  conversation.open(session);
  await pass(1_000);
  expect(texts(told)).toEqual(['once', 'Heard: once']);
  conversation.dispose();
  const again = await startConversation(service, browser);
  await pass(1_000);
  expect(again.conversation.transcript.value.turns).toHaveLength(1);
  expect(texts(again.told)).toEqual([]);
});
