import { expect, onTestFinished, test } from 'vitest';
import { openBusyService } from './busy-service.ts';
import { killAtRandom } from './random-kills.ts';

test('nothing is lost or doubled by 10 kills at random moments', { timeout: 400_000 }, async () => {
  const busy = await openBusyService();
  onTestFinished(busy.close);
  await killAtRandom(busy, { seed: 1, kills: 10 });
  expect(await busy.violations()).toEqual([]);
});
