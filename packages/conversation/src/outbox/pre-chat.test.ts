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

const german = {
  ...widget,
  languages: {
    de: {
      consent: { text: 'Wir speichern, was Sie schreiben.' },
      form: { fields: [{ name: 'firma', label: 'Firma', required: true }] },
    },
  },
};

/** A visit of one browser by somebody who reads this language. */
async function visit(browser: ReturnType<typeof createBrowser>, settings: object, language: string) {
  const service = createService();
  service.config = { widget: settings };
  const { conversation } = await startConversation(service, browser);
  conversation.setLanguage(language);
  return { service, conversation };
}

test('what is asked first is asked in the language of the visitor, once, and not again in another one', async () => {
  const browser = createBrowser();
  const { service, conversation } = await visit(browser, german, 'de-AT');
  expect(conversation.preChat.value).toMatchObject({
    consent: { text: 'Wir speichern, was Sie schreiben.' },
    form: { fields: [{ name: 'firma' }] },
  });
  conversation.send('Hallo');
  conversation.passPreChat({ firma: 'Ada GmbH' });
  await pass();
  expect(service.posted[0]?.body).toMatchObject({ clientContext: { visitor: { firma: 'Ada GmbH' } } });
  browser.storage.removeItem('parley:http://service:pk');
  for (const language of ['de', 'en'])
    expect((await visit(browser, german, language)).conversation.preChat.value).toBeNull();
});

test('a text that is another one in the language of the visitor is asked again', async () => {
  const browser = createBrowser();
  const { conversation } = await visit(browser, german, 'de');
  conversation.passPreChat({ firma: 'Ada GmbH' });
  const consents = { text: 'Wir speichern nichts.' };
  const changed = { ...german, languages: { de: { ...german.languages.de, consent: consents } } };
  expect((await visit(browser, changed, 'de')).conversation.preChat.value).toMatchObject({
    consent: consents,
    form: undefined,
  });
});

test('a form that there is in one language only is asked in that one', async () => {
  const { form: fields, ...others } = german;
  const browser = createBrowser();
  expect(
    (await visit(browser, { ...others, consent: undefined }, 'en')).conversation.preChat.value,
  ).toBeNull();
  const { conversation } = await visit(browser, { ...others, consent: undefined }, 'de');
  expect(conversation.preChat.value?.form).not.toEqual(fields);
  expect(conversation.preChat.value?.form).toEqual(german.languages.de.form);
});

test('a form with a field more is asked again of who has filled in the one before', async () => {
  const browser = createBrowser();
  const { conversation } = await visit(browser, german, 'en');
  conversation.passPreChat({ name: 'Ada' });
  const more = {
    fields: [...form.fields, { name: 'email', label: 'E-mail', type: 'email', required: true }],
  };
  expect((await visit(browser, { ...german, form: more }, 'en')).conversation.preChat.value).toMatchObject({
    form: more,
  });
});
