import type { IndexedEvent } from '@parley/client/follow';
import { Chat } from '@ai-sdk/react';
import { emptyTranscript, reduceTranscript } from '@parley/conversation/transcript';
import { createSessions } from '@parley/client/session';
import { DefaultChatTransport, type UIMessage } from 'ai';
import { Client } from 'eve/client';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../free-port.ts';
import { postgresEnvironment } from '../postgres.ts';
import { createAgent, type RunningServer, startServer } from '../server.ts';
import { openRoundRobinProxy } from './round-robin-proxy.ts';

/** No two are the same, so that one that is missing, doubled or misplaced is seen. About a second. */
const words = Array.from({ length: 50 }, (_, index) => `word-${index} `).join('');
const script = [{ steps: [{ say: words, delayMs: 20 }] }];

/** Speaks on until it is told that nothing happens any more, and says what every turn of its conversation said. */
type Visit = (url: string, key: string, enough: () => boolean) => Promise<readonly string[]>;

const followed: Visit = async (baseUrl, key, enough) => {
  const sessions = createSessions({ baseUrl, key, platform: 'eve' });
  const session = await sessions.start('go on');
  const seen: IndexedEvent[] = [];
  let transcript = emptyTranscript;
  for await (const indexed of sessions.follow(session.sessionId)) {
    seen.push(indexed);
    transcript = reduceTranscript(transcript, indexed);
    if (indexed.event.type !== 'session.waiting') continue;
    if (enough()) break;
    await sessions.send(session, 'go on');
  }
  expect(seen.map(({ index }) => index)).toEqual([...seen.keys()]);
  return transcript.turns.map(({ parts }) =>
    parts.map((part) => (part.kind === 'text' ? part.text : '')).join(''),
  );
};

const byEve: Visit = async (host, key, enough) => {
  const session = new Client({ host, auth: { bearer: key } }).session();
  const said: string[] = [];
  do {
    let text = '';
    for await (const event of await session.send('go on'))
      if (event.type === 'message.appended') text += event.data.messageDelta;
    said.push(text);
  } while (!enough());
  return said;
};

const byChat: Visit = async (url, key, enough) => {
  const headers = { authorization: `Bearer ${key}` };
  const transport = new DefaultChatTransport<UIMessage>({ api: `${url}/api/v1/agent/chat`, headers });
  const chat = new Chat<UIMessage>({ id: `conversation ${Math.random()}`, transport });
  do {
    await chat.sendMessage({ text: 'go on' });
    expect(chat.error).toBeUndefined();
  } while (!enough());
  return chat.messages
    .filter(({ role }) => role === 'assistant')
    .map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join(''));
};

test(
  'processes restarted one after the other under conversations: every client sees every word once, and every turn ends',
  { timeout: 400_000 },
  async () => {
    const environment = { ...(await postgresEnvironment()), PLATFORM: 'eve' };
    const start = (port: number) => startServer({ environment: { ...environment, PORT: String(port) } });
    const servers: RunningServer[] = await Promise.all([1, 2, 3].map(async () => start(await freePort())));
    onTestFinished(() => Promise.all(servers.map((server) => server.stop())).then(() => undefined));
    const proxy = await openRoundRobinProxy(servers.map(({ url }) => url));
    onTestFinished(() => proxy.close());
    const { publishableKey, secretKey } = await createAgent(servers[0]!, script);

    let restarted = false;
    const enough = () => restarted;
    const visits = [1, 2].flatMap(() => [
      followed(proxy.url, publishableKey, enough),
      byEve(proxy.url, publishableKey, enough),
      byChat(proxy.url, secretKey, enough),
    ]);
    const restart = async () => {
      for (const [number, { url, pid, exited }] of servers.entries()) {
        process.kill(pid!, 'SIGTERM');
        expect(await exited).toBe(0);
        servers[number] = await start(Number(new URL(url).port));
      }
      restarted = true;
    };
    const [, ...answers] = await Promise.all([restart(), ...visits]);
    for (const said of answers) {
      expect(said.length).toBeGreaterThan(1);
      expect(said).toEqual(said.map(() => words));
    }
    for (const count of proxy.answered) expect(count).toBeGreaterThan(0);
  },
);
