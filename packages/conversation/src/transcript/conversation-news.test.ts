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
  conversation.open({ sessionId: 's1', continuationToken: 't1' });
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
