import { type Clock, systemClock } from '@parley/client/clock';
import { expect, test } from 'vitest';
import type { Environment } from './environment.ts';
import { createBrowser, createService, pass, startConversation } from '../testing/start-conversation.ts';

/** A browser that counts what a conversation has open in it. */
function createCountingBrowser() {
  const browser = createBrowser();
  const open = { channels: 0, listeners: 0, frames: 0, timers: 0 };
  const counted = (end: () => void) => {
    open.timers++;
    return once(() => {
      open.timers--;
      end();
    });
  };
  const clock: Clock = {
    now: () => systemClock.now(),
    after(milliseconds, callback) {
      const end = counted(systemClock.after(milliseconds, () => (end(), callback())));
      return end;
    },
    every: (milliseconds, callback) => counted(systemClock.every(milliseconds, callback)),
  };
  const environment: Environment = {
    ...browser.environment,
    clock,
    openChannel(name) {
      const channel = browser.environment.openChannel!(name);
      open.channels++;
      return {
        get onmessage() {
          return channel.onmessage;
        },
        set onmessage(listener) {
          channel.onmessage = listener;
        },
        postMessage: (message) => channel.postMessage(message),
        close() {
          open.channels--;
          channel.close();
        },
      };
    },
    events: {
      addEventListener(type, listener, options) {
        open.listeners++;
        const { signal } = options as AddEventListenerOptions;
        signal!.addEventListener('abort', () => open.listeners--);
        browser.events.addEventListener(type, listener, options);
      },
    },
    nextFrame(callback) {
      open.frames++;
      const end = once(() => {
        open.frames--;
        stop();
      });
      const stop = systemClock.after(16, () => {
        end();
        callback();
      });
      return end;
    },
  };
  return { browser: { ...browser, environment }, open };
}

function once(callback: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) callback();
    isDone = true;
  };
}

test('a conversation that is disposed of leaves no timer, stream, channel, frame or listener behind', async () => {
  const service = createService();
  const { browser, open } = createCountingBrowser();
  const { conversation } = await startConversation(service, browser);
  conversation.show(true);
  conversation.draft.change({ text: 'half a sentence' });
  conversation.send('Hello');
  await pass();
  const turn = { sequence: 1, turnId: 'turn_1' };
  service.write(
    { type: 'turn.started', data: turn },
    { type: 'message.received', data: { ...turn, message: 'Hello', parts: [] } },
  );
  await pass();
  let answer = (_response: Response) => {};
  service.respond = () => new Promise<Response>((resolve) => (answer = resolve));
  conversation.send('Are you there?');
  await pass();
  expect(service.open()).toBe(1);
  expect(open.channels).toBeGreaterThan(0);
  expect(open.listeners).toBeGreaterThan(2);

  conversation.dispose();
  await pass();
  expect(service.open()).toBe(0);
  // What a page has sent before it takes the chat away may still arrive.
  expect(open).toEqual({ channels: 0, listeners: 2, frames: 0, timers: 1 });
  answer(Response.json({ ok: true, sessionId: 's1', continuationToken: 't1' }));
  await pass();
  expect(open).toEqual({ channels: 0, listeners: 0, frames: 0, timers: 0 });
});

test('all that it waits for it waits for by the clock that it is handed', async () => {
  const service = createService();
  const browser = createBrowser();
  const waiting = new Set<() => void>();
  const wait = (_milliseconds: number, callback: () => void) => {
    const own = () => callback();
    waiting.add(own);
    return () => void waiting.delete(own);
  };
  const clock = { now: () => Date.now(), after: wait, every: wait };
  const environment = { ...browser.environment, clock };
  const { conversation } = await startConversation(service, { ...browser, environment });
  conversation.send('Hello');
  await pass();
  service.respond = () => new Promise<Response>(() => {});
  conversation.send('Are you there?');
  await pass();
  expect(service.open()).toBe(1);
  expect(waiting.size).toBeGreaterThan(1);
});
