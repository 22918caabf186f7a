import { expect, type Page } from '@playwright/test';
import { chatIn } from '../chat.ts';
import { parley } from '../parley.ts';
import { asked, ended, event, said, step } from '../recorded-turns.ts';
import { test } from './landed.ts';
import { examples, named } from './readme.ts';

const launcherOf = (page: Page, name = 'Chat with us') => page.getByRole('button', { name, exact: true });
const posted = (page: Page) => page.waitForRequest((request) => request.method() === 'POST');
const delegated = (callId: string) =>
  event('action.delegated', { ...step(1), callId, toolName: 'add_to_basket', input: { article: 'bell' } });

test('its script tag, the calls before it, and the links that open it', async ({ page, landed }) => {
  const [tag, links, stub] = examples('html', landed.service);
  const said = page.waitForEvent('console', (message) => message.text() === 'Where is my order?');
  await landed.open(stub! + links! + tag!);
  await expect(launcherOf(page)).toBeVisible();
  const sent = posted(page);
  await page.getByRole('button', { name: 'Where is my order?' }).click();
  expect((await sent).postDataJSON()).toMatchObject({
    message: 'Where is my order?',
    clientContext: { page: 'Pricing', plan: 'Team' },
  });
  landed.tell(...asked(1, 'Where is my order?'));
  await said;

  await parley(page, 'close');
  await page.getByRole('link', { name: 'Talk to us' }).click();
  await expect(chatIn(page).field).toBeVisible();
  expect(page.url()).toBe(`${landed.service}/landed`);
  await parley(page, 'close');

  await parley(page, 'init', { id: 'sales', key: 'pk_sales', name: 'Sales' });
  await page.getByRole('button', { name: 'Talk to sales' }).click();
  await expect(chatIn(page).field).toBeVisible();
  await expect(page.locator('[data-parley=sales]').getByRole('dialog')).toBeVisible();
});

test('its calls that wait for what they do, and its tool', async ({ page, landed }) => {
  const [calls, tool] = examples('js', landed.service);
  await landed.open(examples('html', landed.service)[0]!);
  await expect(launcherOf(page)).toBeVisible();
  const sent = posted(page);
  await landed.run(calls!);
  expect((await sent).postDataJSON()).toMatchObject({ message: 'Where is my order?' });
  await expect(chatIn(page).field).toHaveValue('I would like to ');

  await landed.run(`globalThis.basket = { add: async (article) => ({ count: article.length }) };\n${tool!}`);
  const given = page.waitForRequest((request) => request.postData()?.includes('actionResults') ?? false);
  landed.tell(...asked(1, 'Where is my order?'), delegated('call_1'), ...ended(1));
  expect((await given).postDataJSON()).toMatchObject({ actionResults: [{ callId: 'call_1', output: 4 }] });
});

test('every call', async ({ page, landed }) => {
  await landed.open(examples('html', landed.service)[0]!);
  const { field } = chatIn(page);
  const call = (...args: [string, ...unknown[]]) => parley(page, ...args);
  const sentWith = async (text: string) => {
    const sent = posted(page);
    await call('send', text);
    return (await sent).postDataJSON() as Record<string, unknown>;
  };
  const storedKeys = () => page.evaluate(() => Object.keys(localStorage));
  const calls: Record<string, () => Promise<void>> = {
    'init(options)': async () => {
      await call('init', { key: 'pk_stage', name: 'Ask us' });
      await expect(launcherOf(page, 'Ask us')).toBeVisible();
      await expect(page.locator('[data-parley]')).toHaveCount(1);
    },
    'open({ focus })': async () => {
      await call('open', { focus: false });
      await expect(field).toBeVisible();
      await expect(field).not.toBeFocused();
      await call('open');
      await expect(field).toBeFocused();
    },
    close: async () => {
      await call('close');
      await expect(field).toBeHidden();
    },
    toggle: async () => {
      await call('toggle');
      await expect(field).toBeVisible();
    },
    hide: async () => {
      await call('hide');
      await expect(page.locator('.launcher')).toBeHidden();
    },
    show: async () => {
      await call('show');
      await expect(page.locator('.launcher')).toBeVisible();
    },
    'send(text)': async () => {
      expect(await sentWith('Hello')).toMatchObject({ message: 'Hello' });
    },
    'prefill(text)': async () => {
      await call('prefill', 'I would');
      await expect(field).toHaveValue('I would');
    },
    'context(values)': async () => {
      await call('context', { page: 'Pricing' });
      expect(await sentWith('One')).toMatchObject({ clientContext: { page: 'Pricing' } });
      landed.tell(...asked(1, 'Hello'), ...ended(1), ...asked(2, 'One'), ...ended(2));
    },
    'tool({ name, … , run })': async () => {
      const offer = (run: string) =>
        landed.run(
          `await parley('tool', { name: 'add', description: 'Adds.', parameters: { type: 'object' }, run: ${run} })`,
        );
      await offer('() => 1');
      expect(await sentWith('Two')).toMatchObject({ clientTools: [{ name: 'add', description: 'Adds.' }] });
      landed.tell(...asked(3, 'Two'), ...ended(3));
      await landed.run(`await parley('tool', { name: 'add', run: null })`);
      expect((await sentWith('Three'))['clientTools'] ?? []).toEqual([]);
    },
    'identify(token or () => token)': async () => {
      const token = ['{"alg":"HS256"}', '{"sub":"ada","exp":9999999999}', 'signature']
        .map((part) => Buffer.from(part).toString('base64url'))
        .join('.');
      const named = page.waitForRequest((request) => request.headers()['x-parley-visitor-token'] === token);
      await call('identify', token);
      await call('send', 'Four');
      await named;
    },
    logout: async () => {
      expect(await storedKeys()).not.toEqual([]);
      await call('logout');
      await expect.poll(storedKeys).toEqual([]);
    },
    'update(options)': async () => {
      await call('update', { name: 'Chat', theme: 'dark', labels: { placeholder: 'Ask about an order…' } });
      await expect(launcherOf(page, 'Chat')).toBeVisible();
      await expect(page.getByRole('dialog')).toHaveAttribute('data-theme', 'dark');
      await expect(field).toHaveAttribute('placeholder', 'Ask about an order…');
    },
    'on(event, handler)': async () => {
      await landed.run(`globalThis.count = 0; globalThis.counted = () => globalThis.count++;
        await parley('on', 'close', globalThis.counted); await parley('close')`);
      expect(await page.evaluate('count')).toBe(1);
    },
    off: async () => {
      await landed.run(`await parley('off', 'close', globalThis.counted);
        await parley('open'); await parley('close')`);
      expect(await page.evaluate('count')).toBe(1);
    },
    destroy: async () => {
      await call('destroy');
      await expect(page.locator('[data-parley]')).toHaveCount(0);
      await call('init', { key: 'pk_stage', name: 'Back' });
      await expect(launcherOf(page, 'Back')).toBeVisible();
    },
  };
  expect(named('Calls').toSorted()).toEqual(Object.keys(calls).toSorted());
  await expect(launcherOf(page)).toBeVisible();
  for (const [name, check] of Object.entries(calls)) await test.step(name, check);
});

test('every event', async ({ page, landed }) => {
  await landed.open(examples('html', landed.service)[0]!);
  await landed.run(`globalThis.heard = [];
    for (const name of ${JSON.stringify(named('Events'))})
      document.addEventListener('parley:' + name, (event) => {
        heard.push([name, event.detail]);
        if (globalThis.keeps) event.preventDefault();
      });`);
  const { heard, tell } = landed;
  const chat = chatIn(page);
  const question = { requestId: 'ask_2', kind: 'question', prompt: 'Which one?', display: 'text' };
  const approval = {
    requestId: 'ask_3',
    kind: 'tool-approval',
    prompt: 'Approve tool call: refund',
    action: { kind: 'tool-call', callId: 'call_3', toolName: 'refund', input: {} },
    display: 'confirmation',
    allowFreeform: false,
    options: [{ id: 'approve', label: 'Yes' }],
  };
  const request = (sequence: number, more: object) =>
    event('input.requested', { ...step(sequence), requests: [more] });
  const events: Record<string, () => Promise<void>> = {
    error: async () => {
      await page.route('**/assets/panel-*.js', (route) => route.abort());
      await expect(parley(page, 'open')).rejects.toThrow();
      await page.unroute('**/assets/panel-*.js');
      expect(await heard('error')).toEqual([{ code: 'PANEL', message: expect.any(String) }]);
    },
    open: async () => {
      await parley(page, 'open');
      expect(await heard('open')).toEqual([null]);
    },
    ready: async () => {
      await expect.poll(() => heard('ready')).toEqual([null]);
    },
    'before-send': async () => {
      await page.evaluate('keeps = true');
      await chat.say('My card is 4111');
      await expect.poll(() => heard('before-send')).toEqual([{ text: 'My card is 4111' }]);
      await page.evaluate('keeps = false');
      await expect(chat.field).toHaveValue('My card is 4111');
      await expect(chat.log).not.toContainText('4111');
    },
    message: async () => {
      const sent = posted(page);
      await chat.say('Hello');
      await sent;
      const answer = said(1, 'See [the map](https://example.com/map).');
      tell(...asked(1, 'Hello'), ...answer, ...ended(1));
      const turnId = 'turn_1';
      await expect
        .poll(() => heard('message'))
        .toEqual([
          { role: 'visitor', text: 'Hello', turnId },
          { role: 'agent', text: expect.stringContaining('the map'), turnId },
        ]);
    },
    'before-open-link': async () => {
      const link = chat.log.getByRole('link', { name: 'the map' });
      await page.context().route('https://example.com/map', (route) => route.fulfill({ body: 'A map' }));
      await page.evaluate('keeps = true');
      await link.click();
      expect(await heard('before-open-link')).toEqual([{ url: 'https://example.com/map' }]);
      await page.evaluate('keeps = false');
      const opened = page.waitForEvent('popup');
      await link.click();
      await (await opened).close();
      expect(page.context().pages()).toEqual([page]);
    },
    close: async () => {
      await parley(page, 'close');
      expect(await heard('close')).toEqual([null]);
    },
    question: async () => {
      tell(...asked(2, 'Which?'), request(2, question), ...ended(2));
      await expect.poll(() => heard('question')).toEqual([{ requestId: 'ask_2', prompt: 'Which one?' }]);
    },
    approval: async () => {
      tell(...asked(3, 'Refund'), request(3, approval), ...ended(3));
      await expect.poll(() => heard('approval')).toEqual([{ requestId: 'ask_3', toolName: 'refund' }]);
    },
    unread: async () => {
      await expect.poll(async () => (await heard('unread')).at(-1)).toEqual({ count: expect.any(Number) });
    },
  };
  expect(named('Events').toSorted()).toEqual(Object.keys(events).toSorted());
  await expect(launcherOf(page)).toBeVisible();
  for (const [name, check] of Object.entries(events)) await test.step(name, check);
});
