import { expect, test } from 'vitest';
import { createBrowser, createService, pass, startConversation } from '../../testing/start-conversation.ts';

test('a tab that is left changes nothing of what another one has drafted or sent', async () => {
  const browser = createBrowser();
  const service = createService();
  const { conversation } = await startConversation(service, browser);
  const leave = async () => {
    const other = (await startConversation(service, browser)).conversation;
    return () => other.dispose();
  };
  const draft = () => browser.storage.getItem(`${conversation.name}:draft`);
  const beforeWords = await leave();
  conversation.draft.change({ text: 'Half a message' });
  await pass(1_000);
  expect(draft()).toBe('Half a message');
  beforeWords();
  expect(draft()).toBe('Half a message');
  const withWords = await leave();
  conversation.send('Half a message');
  conversation.draft.change({ text: '' });
  await pass(1_000);
  expect(draft()).toBe(null);
  withWords();
  expect(draft()).toBe(null);
  conversation.draft.change({ text: 'Half a message' });
  await pass(1_000);
  expect(draft()).toBe('Half a message');
});
