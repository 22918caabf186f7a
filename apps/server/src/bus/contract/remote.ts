import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tcpProxy } from '../../testing/tcp-proxy.ts';
import { describeBus } from '../contract.ts';
import type { Bus } from '../bus.ts';
import { type BusTiming, busTiming } from '../remote-bus.ts';
import type { RemoteBusOptions } from '../open-remote-bus.ts';
import { appended, gapOf, hear, settled } from './heard.ts';

const logger = pino({ level: 'silent' });
/** Where nothing is to be silent, a machine that pauses must not be taken for it: what is said meanwhile is lost. */
const impatient: BusTiming = { ...busTiming, pingMs: 100, pongMs: 1_000 };

/** What a bus between processes must do beyond that. `open` is told where the server is. */
export function describeRemoteBus(
  name: string,
  server: () => string,
  openBus: (options: RemoteBusOptions) => Promise<Bus>,
): void {
  describeBus(name, async () => {
    const options = { url: server(), channel: randomUUID(), logger };
    const [one, other] = await Promise.all([openBus(options), openBus(options)]);
    return { one, other };
  });

  describe(`${name}, when the network fails`, () => {
    async function open(change: Partial<RemoteBusOptions> = {}): Promise<Bus> {
      const bus = await openBus({ url: server(), channel: 'test', logger, ...change });
      onTestFinished(() => bus.close());
      return bus;
    }

    test('both sides of a cut connection are told that messages were lost, and hear one another again', async () => {
      const proxy = await tcpProxy(server());
      const channel = randomUUID();
      const [one, other] = await Promise.all([open({ channel, url: proxy.url }), open({ channel })]);
      expect([one.connected, other.connected]).toEqual([true, true]);
      proxy.cut();
      await expect.poll(() => one.connected).toBe(false);
      one.publish(appended('session_1', 0, 'not heard'));
      other.publish(appended('session_1', 1, 'not heard either'));
      const gaps = Promise.all([gapOf(one), gapOf(other)]);
      proxy.mend();
      await gaps;
      const heard = [hear(one, 'session_1'), hear(other, 'session_1')];
      one.publish(appended('session_1', 2, 'from one'));
      other.publish(appended('session_1', 3, 'from the other'));
      await Promise.all([settled(one, other), settled(other, one)]);
      for (const { texts } of heard) expect(texts().toSorted()).toEqual(['from one', 'from the other']);
    });

    test('a connection that has gone silent is replaced', async () => {
      const proxy = await tcpProxy(server());
      const channel = randomUUID();
      const [one, other] = await Promise.all([
        open({ channel, url: proxy.url, timing: impatient }),
        open({ channel }),
      ]);
      const gap = gapOf(one);
      proxy.stall();
      await gap;
      await Promise.all([settled(one, other), settled(other, one)]);
    });

    test('a server that takes a connection and says nothing on it is tried again', async () => {
      const proxy = await tcpProxy(server());
      const isSilent = proxy.silenceNext();
      const channel = randomUUID();
      const [one, other] = await Promise.all([
        open({ channel, url: proxy.url, timing: { ...busTiming, openMs: 10 } }),
        open({ channel }),
      ]);
      await isSilent;
      await gapOf(one);
      await Promise.all([settled(one, other), settled(other, one)]);
    });

    test('a process begins without the others and finds them later', async () => {
      const proxy = await tcpProxy(server());
      proxy.cut();
      const channel = randomUUID();
      const [one, other] = await Promise.all([
        open({ channel, url: proxy.url, timing: { ...busTiming, openMs: 10 } }),
        open({ channel }),
      ]);
      expect(one.connected).toBe(false);
      const here = hear(one, 'session_1');
      one.publish(appended('session_1', 0, 'heard here'));
      expect(here.texts()).toEqual(['heard here']);
      const gaps = Promise.all([gapOf(one), gapOf(other)]);
      proxy.mend();
      await gaps;
      expect(one.connected).toBe(true);
      await Promise.all([settled(one, other), settled(other, one)]);
    });

    test('more than can be sent becomes a gap, not a queue without end', async () => {
      const channel = randomUUID();
      const [one, other] = await Promise.all([open({ channel }), open({ channel })]);
      const gap = gapOf(other);
      for (let index = 0; index < 40_000; index += 1)
        one.publish(appended(`session_${index}`, 0, 'x'.repeat(300)));
      await gap;
      await settled(one, other);
    });

    test('another installation on the same server is not heard', async () => {
      const [one, other] = await Promise.all([
        open({ channel: randomUUID() }),
        open({ channel: randomUUID() }),
      ]);
      const heard = hear(other, 'session_1');
      one.publish(appended('session_1', 0, 'mine'));
      await settled(one, one);
      other.publish(appended('session_1', 0, 'theirs'));
      await settled(other, other);
      expect(heard.texts()).toEqual(['theirs']);
    });
  });
}
