import { test } from 'vitest';
import { openBusyService } from './busy-service.ts';
import { killAtRandom } from './random-kills.ts';

test.concurrent.for([1, 2])(
  'nothing is lost or doubled by 5 kills at random moments, drawn from %i',
  {
    timeout: 120_000,
  },
  async (seed, { expect, onTestFinished }) => {
    const busy = await openBusyService();
    onTestFinished(busy.close);
    await killAtRandom(busy, { seed, kills: 5 });
    expect(await busy.violations()).toEqual([]);
  },
);
