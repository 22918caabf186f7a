import { expect, test } from 'vitest';
import { describeBus } from './contract.ts';
import { appended } from './contract/heard.ts';
import { LocalBus } from './local-bus.ts';

describeBus('local', async () => {
  const bus = new LocalBus(() => undefined);
  return { one: bus, other: bus };
});

test('what a subscriber throws is handed on', () => {
  const errors: unknown[] = [];
  const bus = new LocalBus((error) => errors.push(error));
  const failure = new Error('failed');
  bus.subscribeSession('session_1', () => {
    throw failure;
  });
  bus.publish(appended('session_1', 0, 'a'));
  expect(errors).toEqual([failure]);
});
