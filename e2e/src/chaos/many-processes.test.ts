import { expect, test } from 'vitest';
import { chaosOfProcesses } from './many-processes.ts';

/** Every kind of visitor once, those who cancel and end among them, in each of two tenants. */
const visitors = 22;

test('two processes on one database lose and double nothing when one dies and one freezes', async () => {
  const lines: string[] = [];
  const { violations, takeOvers } = await chaosOfProcesses({
    processes: 2,
    visitors,
    faults: ['killed', 'frozen'],
    seed: 1,
    report: (line) => lines.push(line),
  });
  expect(violations, lines.join('\n')).toEqual([]);
  expect(takeOvers).not.toEqual([]);
}, 400_000);
