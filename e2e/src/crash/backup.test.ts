import { expect, test } from 'vitest';
import { backupUnderLoad } from './backup-under-load.ts';

test('a backup taken under load restores to logs with all that was acknowledged before it', async () => {
  const { sessions, acknowledged, violations } = await backupUnderLoad({ visitors: 5, messages: 40 });
  expect(violations).toEqual([]);
  expect(sessions).toBe(5);
  expect(acknowledged).toBeGreaterThanOrEqual(40);
});
