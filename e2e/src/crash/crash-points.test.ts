import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openBusyService } from './busy-service.ts';

const program = join(import.meta.dirname, '../../../apps/server/src/testing/crashing-main.ts');

const moments = [
  'accept commit',
  'model call',
  'first delta',
  'call journal',
  'call delivery',
  'result journal',
  'step checkpoint',
  'final commit',
];
const points = moments.flatMap((moment, index) => [
  { side: 'before', moment, time: 9 + index },
  { side: 'after', moment, time: 12 + index },
]);

const crashAt = (point: (typeof points)[number]) => ({
  program,
  environment: { CRASH_POINT: JSON.stringify(point) },
});

test(
  'nothing is lost or doubled by a kill -9 before and after each moment of a turn',
  { timeout: 400_000 },
  async () => {
    const [first, ...others] = points;
    const busy = await openBusyService(crashAt(first!));
    onTestFinished(busy.close);
    busy.admit();
    for (const point of others) {
      await busy.service.died();
      await busy.service.start(crashAt(point));
    }
    await busy.service.died();
    await busy.service.start();
    await busy.settle();
    expect(await busy.violations()).toEqual([]);
  },
);
