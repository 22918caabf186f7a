import { expect, onTestFinished, test, vi } from 'vitest';
import { MailSweep, stopMs } from './mail-sweep.ts';

interface Due {
  readonly id: number;
  readonly tenantId: string;
}

/** A sweep of what is due, of which nothing comes where a tenant's server is slow. */
function sweepOf(due: Due[]) {
  const delivered: number[] = [];
  let running = 0;
  let most = 0;
  const sweep = new MailSweep<Due>({
    claim({ limit, exceptTenants }) {
      const others = due.filter(({ tenantId }) => !exceptTenants.includes(tenantId));
      const firsts = [...new Map(others.toReversed().map((each) => [each.tenantId, each])).values()];
      const claimed = firsts.slice(0, limit);
      for (const one of claimed) due.splice(due.indexOf(one), 1);
      return Promise.resolve(claimed);
    },
    async deliver({ id, tenantId }) {
      running += 1;
      most = Math.max(most, running);
      if (tenantId.startsWith('slow')) await new Promise(() => undefined);
      delivered.push(id);
      running -= 1;
    },
    failed: (error) => expect.unreachable(String(error)),
  });
  return { sweep, delivered, most: () => most };
}

function holdTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
}

test('a tenant whose mail server says nothing holds up nobody else, and no process that stops', async () => {
  holdTimers();
  const slow = Array.from({ length: 20 }, (_, id) => ({ id, tenantId: 'slow' }));
  const due = [...slow, { id: 98, tenantId: 'quick' }, { id: 99, tenantId: 'quick' }];
  const { sweep, delivered } = sweepOf(due);
  sweep.start();
  await expect.poll(() => delivered).toEqual([98, 99]);
  expect(due).toHaveLength(18);
  const stopped = sweep.stop();
  await vi.advanceTimersByTimeAsync(stopMs);
  await stopped;
});

test('eight mails are handed over at once at most', async () => {
  holdTimers();
  const due = Array.from({ length: 30 }, (_, id) => ({ id, tenantId: `slow ${id}` }));
  const { sweep, most } = sweepOf(due);
  sweep.start();
  await expect.poll(() => due.length).toBe(22);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([due.length, most()]).toEqual([22, 8]);
  const stopped = sweep.stop();
  await vi.advanceTimersByTimeAsync(stopMs);
  await stopped;
});
