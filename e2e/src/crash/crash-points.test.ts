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

test.each(points)('nothing is lost or doubled by a kill -9 $side the $moment', async (point) => {
  const busy = await openBusyService({ program, environment: { CRASH_POINT: JSON.stringify(point) } });
  onTestFinished(busy.close);
  busy.admit();
  await busy.service.died();
  await busy.service.start();
  await busy.settle();
  expect(await busy.violations()).toEqual([]);
});
