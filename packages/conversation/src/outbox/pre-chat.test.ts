import { expect, test } from 'vitest';
import { createBrowser, createService, pass, startConversation } from '../../testing/start-conversation.ts';

const consent = { text: 'We keep what you write.' };
const form = { fields: [{ name: 'name', label: 'Name', type: 'text', required: true }] };
const widget = { greeting: 'Hi', prompts: [], name: 'Fern', consent, form };
const texts = ({ posted }: ReturnType<typeof createService>) => posted.map(({ body }) => body['message']);

/** A conversation of an agent that asks something first. */
async function startAsking(browser = createBrowser()) {
  const service = createService();
  service.config = { widget };
  return { browser, service, ...(await startConversation(service, browser)) };
}

test('what is sent before its visitor has agreed waits for that, in its order, and tells what was filled in', async () => {
  const { service, conversation } = await startAsking();
  expect(conversation.preChat.value).toMatchObject({ consent, form });
  conversation.send('one');
  conversation.send('two');
  await pass(60_000);
  expect(service.posted).toEqual([]);
  conversation.passPreChat({ name: 'Ada' });
  await pass();
  expect(conversation.preChat.value).toBeNull();
  expect(texts(service)).toEqual(['one', 'two']);
  expect(service.posted[0]?.body).toMatchObject({ clientContext: { visitor: { name: 'Ada' } } });
});

test('what has waited does not go to the next visitor', async () => {
  const { service, conversation } = await startAsking();
  conversation.send('Of the first');
  await conversation.logout();
  conversation.passPreChat({ name: 'Ada' });
  await pass(60_000);
  expect(service.posted).toEqual([]);
});

test('nobody is asked twice, also in another tab, unless the text is another one', async () => {
  const { browser, service, conversation } = await startAsking();
  const other = await startConversation(service, browser);
  conversation.passPreChat({ name: 'Ada' });
  browser.events.dispatchEvent(new Event('storage'));
  expect(other.conversation.preChat.value).toBeNull();
  service.config = { widget: { ...widget, consent: { text: 'We keep nothing.' } } };
  const next = await startConversation(service, browser);
  expect(next.conversation.preChat.value).toMatchObject({
    consent: { text: 'We keep nothing.' },
    form: undefined,
  });
});

test('nothing is stored of what is being written before its visitor has agreed', async () => {
  const { browser, conversation } = await startAsking();
  conversation.draft.change({ text: 'Half a sen' });
  await pass(1_000);
  expect(browser.storage.length).toBe(0);
});
